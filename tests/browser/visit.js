/* Keeps the page loading until its scripts are done: the promise `visited`, or that of the viewer. The browser prints a page once it has loaded, and
 * an open document inside it keeps it loading. A span of virtual time would not do: it passes at once while a page waits for a thread that
 * unpacks its run. */
{
  const loading = document.createElement("iframe");
  loading.hidden = true;
  document.body.append(loading);
  loading.contentDocument.open();
  loading.contentDocument.write(" ");
  const end = () => {
    loading.contentDocument.close();
    loading.remove();
  };
  setTimeout(end, 200000);
  (window.visited || elastica.ready).finally(end);
}
