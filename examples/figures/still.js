/* Draws a figure from the page that it stands in: the scene on the left, the curves (an SVG in `curves`) on the right; writes it as a PNG into
 * the page. With a picture in `stored` it also compares the two. */
const still = Object.assign({ time: 1, width: 560, zoom: 1 }, Object.fromEntries(new URLSearchParams(location.search)));
const RIGHT = 1000; /* width of the curves [pixels] */

function load(source) {
  return new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => failed(new Error("an image cannot be read"));
    image.src = source;
  });
}

/* The scene at a share of the duration, in the view that the options give. */
function drawScene(width, height) {
  canvas.style.width = `${2 * width}px`, canvas.style.height = `${2 * height}px`;
  shown.playing = false;
  if (still.colour) setColour(quantities.find(q => q.name === still.colour) || null);
  if (still.forces && !shown.forces) toggle("forces");
  if (still.yaw) camera.yaw += Number(still.yaw);
  if (still.pitch) camera.pitch = Number(still.pitch);
  setTime(run.times[0] + duration() * Number(still.time));
  follow(true);
  camera.distance *= Number(still.zoom);
  render();
}

/* Mean difference of two pictures in small cells, in parts of 255: edges and fonts that move by a pixel count little, other curves much. */
function difference(a, b) {
  const small = [a, b].map(image => {
    const c = document.createElement("canvas"), d = c.getContext("2d", { willReadFrequently: true });
    c.width = 195, c.height = Math.round(195 * image.height / image.width);
    d.imageSmoothingQuality = "high";
    d.drawImage(image, 0, 0, c.width, c.height);
    return d.getImageData(0, 0, c.width, c.height).data;
  });
  if (small[0].length !== small[1].length) return 255;
  let sum = 0, most = 0;
  for (let k = 0; k < small[0].length; k++) {
    const d = Math.abs(small[0][k] - small[1][k]);
    sum += d;
    if (d > 48) most++;
  }
  return sum / small[0].length + 1000 * most / small[0].length;
}

elastica.ready.then(async () => {
  const said = document.createElement("pre");
  try {
    const image = curves ? await load(curves) : null, left = Number(still.width), right = image ? RIGHT : 0;
    const height = image ? Math.round(Math.max(360, RIGHT * image.height / image.width)) : Math.round(left * .75);
    const flat = document.createElement("canvas"), draw = flat.getContext("2d", { alpha: false });
    flat.width = left + right, flat.height = height;
    draw.fillStyle = "#fff";
    draw.fillRect(0, 0, flat.width, height);
    drawScene(left, height);
    draw.imageSmoothingQuality = "high";
    draw.drawImage(canvas, 0, 0, left, height);
    if (image) draw.drawImage(image, left, (height - RIGHT * image.height / image.width) / 2, RIGHT, RIGHT * image.height / image.width);
    said.textContent = `\nPNG ${flat.toDataURL("image/png").split(",")[1]}\n`;
    if (stored) said.textContent += `DIFFERENCE ${difference(flat, await load(stored)).toFixed(2)}\n`;
  } catch (error) {
    said.textContent = `\nERROR ${error.stack}\n`;
  }
  document.body.append(said);
});
