/* Functions for still.js and tile.js: reading a picture, and comparing two. */
function readImage(source) {
  return new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => failed(new Error("an image cannot be read"));
    image.src = source;
  });
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
