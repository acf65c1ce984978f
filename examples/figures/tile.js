/* Makes an animated WebP of the page that it stands in, for album.js: frames as the browser packs them, in one container. With a tile in `stored` it also
 * compares the first, the middle and the last frame. */
const tile = Object.assign({ frames: 30, quality: .5, width: 360, height: 240, ms: 110, zoom: 1 }, Object.fromEntries(new URLSearchParams(location.search)));

/* The chunks of a WebP file that hold its picture. */
function pictureOf(canvas) {
  const bytes = Uint8Array.from(atob(canvas.toDataURL("image/webp", Number(tile.quality)).split(",")[1]), c => c.charCodeAt(0)), view = new DataView(bytes.buffer), out = [];
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4)), end = at + 8 + view.getUint32(at + 4, true);
    if (name === "VP8 " || name === "VP8L" || name === "ALPH") out.push(...bytes.subarray(at, end + (end & 1)));
    at = end + (end & 1);
  }
  return out;
}
const three = n => [n & 255, n >> 8 & 255, n >> 16 & 255];
const chunk = (name, data) => [...name].map(c => c.charCodeAt(0)).concat(three(data.length), data.length >> 24 & 255, data, data.length & 1 ? [0] : []);

/* The largest difference of frames from those of the stored tile. */
async function compareFrames(frames) {
  const bytes = Uint8Array.from(atob(stored.split(",")[1]), c => c.charCodeAt(0)), decoder = new ImageDecoder({ data: bytes, type: "image/webp" });
  let most = 0;
  await decoder.tracks.ready;
  for (const [k, frame] of frames) {
    if (k >= decoder.tracks.selectedTrack.frameCount) return 255;
    const { image } = await decoder.decode({ frameIndex: k }), still = document.createElement("canvas");
    still.width = image.displayWidth, still.height = image.displayHeight;
    still.getContext("2d").drawImage(image, 0, 0);
    most = Math.max(most, difference(frame, still));
  }
  return most;
}

elastica.ready.then(async () => {
  const w = Number(tile.width), h = Number(tile.height), count = Number(tile.frames), flat = document.createElement("canvas"), draw = flat.getContext("2d", { alpha: false });
  const samples = [];
  let body = [];
  flat.width = w, flat.height = h;
  canvas.style.width = `${2 * w}px`, canvas.style.height = `${2 * h}px`;
  shown.playing = false;
  if (tile.colour) setColour(quantityOf(tile.colour));
  if (tile.yaw) camera.yaw += Number(tile.yaw);
  if (tile.pitch) camera.pitch = Number(tile.pitch);
  camera.follows = true;
  const begin = run.times[0] + duration() * Number(tile.from || 0), end = run.times[0] + duration() * Number(tile.to || 1);
  for (let k = 0; k < count; k++) {
    setTime(begin + (end - begin) * k / (count - 1));
    for (let step = 0; step < (k === 0 ? 1 : 20); step++) follow(k === 0);
    const { distance } = camera;
    camera.distance *= Number(tile.zoom);
    render();
    draw.drawImage(canvas, 0, 0, w, h);
    camera.distance = distance;
    if (k === 0 || k === count >> 1 || k === count - 1) {
      const copy = document.createElement("canvas");
      copy.width = w, copy.height = h;
      copy.getContext("2d").drawImage(flat, 0, 0);
      samples.push([k, copy]);
    }
    const ms = k + 1 < count ? Number(tile.ms) : 900;
    body = body.concat(chunk("ANMF", [].concat(three(0), three(0), three(w - 1), three(h - 1), three(ms), [2], pictureOf(flat))));
  }
  const head = chunk("VP8X", [].concat([2, 0, 0, 0], three(w - 1), three(h - 1))), loop = chunk("ANIM", [255, 255, 255, 255, 0, 0]);
  const riff = [..."WEBP"].map(c => c.charCodeAt(0)).concat(head, loop, body), file = chunk("RIFF", riff);
  let text = "";
  for (const byte of file) text += String.fromCharCode(byte);
  return [`PICTURE ${btoa(text)}`].concat(stored ? `DIFFERENCE ${(await compareFrames(samples)).toFixed(2)}` : []);
}).catch(error => [`ERROR ${error}`]).then(lines => parent.postMessage(lines, "*"));
