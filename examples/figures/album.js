/* Opens pages of `pages`, [picture, address], one after the other, and writes the lines that each sends, behind the name of its picture. */
let open = null;

/* The browser prints this page once it has loaded, and an open document inside it keeps it loading. A span of virtual time would not do: it passes at
 * once while a page waits for a thread that unpacks a run or decodes a picture. */
const loading = document.createElement("iframe");
document.body.append(loading);
loading.contentDocument.open();
loading.contentDocument.write(" ");

function nextPage() {
  if (open) open.frame.remove(), clearTimeout(open.late);
  if (pages.length === 0) return loading.contentDocument.close();
  const [picture, address] = pages.shift(), frame = document.createElement("iframe");
  frame.width = 720, frame.height = 480;
  frame.src = address;
  open = { picture, frame, late: setTimeout(() => note(["ERROR the page says nothing"]), 120000) };
  document.body.append(frame);
}

function note(lines) {
  const said = document.createElement("pre");
  said.textContent = lines.map(line => `\n${open.picture} ${line}`).join("") + "\n";
  document.body.append(said);
  nextPage();
}

addEventListener("message", event => event.source === open.frame.contentWindow && note(event.data));
nextPage();
