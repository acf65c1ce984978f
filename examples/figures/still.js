/* Draws a figure from the page that it stands in: the scene on the left, the curves (an SVG in `curves`) on the right; writes it as a PNG into
 * the page. With a picture in `stored` it also compares the two. */
const still = Object.assign({ time: 1, width: 560, zoom: 1 }, Object.fromEntries(new URLSearchParams(location.search)));
const RIGHT = 1000; /* width of the curves [pixels] */

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

elastica.ready.then(async () => {
  const said = document.createElement("pre");
  try {
    const image = curves ? await readImage(curves) : null, left = Number(still.width), right = image ? RIGHT : 0;
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
    if (stored) said.textContent += `DIFFERENCE ${difference(await readImage(flat.toDataURL()), await readImage(stored)).toFixed(2)}\n`;
  } catch (error) {
    said.textContent = `\nERROR ${error.stack}\n`;
  }
  document.body.append(said);
});
