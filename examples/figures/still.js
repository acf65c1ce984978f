/* Draws a figure from the page that it stands in: the scene on the left, the curves (an SVG in `curves`) on the right; sends it as a PNG, or as
 * a WebP if `size` is less than 1, to album.js. With a picture in `stored` it also compares the two; with part=scene only their scenes. */
const still = Object.assign({ time: 1, size: 1, zoom: 1 }, Object.fromEntries(new URLSearchParams(location.search)));
const LEFT = 560 * Number(still.size), RIGHT = 1000 * Number(still.size); /* widths of the scene and of the curves [pixels] */

/* The scene at a share of the duration, in the view that the options give. */
function drawScene(width, height) {
  canvas.style.width = `${2 * width}px`, canvas.style.height = `${2 * height}px`;
  shown.playing = false;
  if (still.colour) setColour(quantityOf(still.colour));
  if (still.forces && !shown.forces) toggle("forces");
  if (still.yaw) camera.yaw += Number(still.yaw);
  if (still.pitch) camera.pitch = Number(still.pitch);
  setTime(run.times[0] + duration() * Number(still.time));
  follow(true);
  camera.distance *= Number(still.zoom);
  render();
}

/* The part of a picture that is compared. */
function part(image) {
  const flat = document.createElement("canvas"), share = still.part === "scene" ? LEFT / (LEFT + RIGHT) : 1;
  flat.width = share * image.width, flat.height = image.height;
  flat.getContext("2d").drawImage(image, 0, 0);
  return flat;
}

elastica.ready.then(async () => {
  const image = curves ? await readImage(curves) : null, right = image ? RIGHT : 0;
  const height = Math.round(image ? Math.max(LEFT * .643, RIGHT * image.height / image.width) : LEFT * .75);
  const flat = document.createElement("canvas"), draw = flat.getContext("2d", { alpha: false });
  flat.width = LEFT + right, flat.height = height;
  draw.fillStyle = "#fff";
  draw.fillRect(0, 0, flat.width, height);
  drawScene(LEFT, height);
  draw.imageSmoothingQuality = "high";
  draw.drawImage(canvas, 0, 0, LEFT, height);
  if (image) draw.drawImage(image, LEFT, (height - RIGHT * image.height / image.width) / 2, RIGHT, RIGHT * image.height / image.width);
  const drawn = Number(still.size) < 1 ? flat.toDataURL("image/webp", .7) : flat.toDataURL("image/png");
  return [`PICTURE ${drawn.split(",")[1]}`].concat(stored ? `DIFFERENCE ${difference(part(await readImage(drawn)), part(await readImage(stored))).toFixed(2)}` : []);
}).catch(error => [`ERROR ${error}`]).then(lines => parent.postMessage(lines, "*"));
