/* Keeps the gallery loading until its visible pages have drawn their scenes: the browser makes its picture once the page has loaded (album.js). */
const loading = document.createElement("iframe");
loading.hidden = true;
document.body.append(loading);
loading.contentDocument.open();
loading.contentDocument.write(" ");

const pages = () => [...document.querySelectorAll("[data-page] iframe")].map(frame => frame.contentWindow);
const isDrawn = page => page.elastica && (page.elastica.error || page.elastica.drawn > 0);
const begin = Date.now();
const wait = setInterval(() => {
  if (pages().length > 0 && pages().every(isDrawn) || Date.now() > begin + 200000) clearInterval(wait), setTimeout(() => loading.contentDocument.close(), 1000);
}, 100);
