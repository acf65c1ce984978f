/* What must be true of scene.html in a browser; expected stands before this, the page's own names behind it. */
const claims = [];
function claim(name, holds, said = "") {
  claims.push(`${holds ? "ok" : "FAILED"} ${name}${holds ? "" : `: ${said}`}`);
}
const close = (x, y, tolerance) => Math.abs(x - y) <= tolerance;

/* The colours about a point of the window, and of the whole picture. */
function look(at) {
  elastica.render();
  const gl = document.querySelector("#scene").getContext("webgl2"), ratio = gl.drawingBufferWidth / innerWidth, pixel = new Uint8Array(4);
  gl.readPixels(Math.round(at[0] * ratio), gl.drawingBufferHeight - 1 - Math.round(at[1] * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  return [...pixel];
}
function picture() {
  elastica.render();
  const gl = document.querySelector("#scene").getContext("webgl2"), pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
  gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return pixels;
}
const different = (a, b) => a.reduce((sum, v, k) => sum + (Math.abs(v - b[k]) > 8 ? 1 : 0), 0);

/* How much of a colour is not grey: red against blue. */
const warmth = p => p[0] - p[2];

async function streams() {
  for (const [size, sum, text] of expected.streams) {
    const bytes = await inflate(text);
    claim(`a stream of ${size} bytes unpacks`, bytes.length === size && bytes.reduce((s, b) => (s * 31 + b) % 1000003, 0) === sum, `${bytes.length} bytes`);
  }
}

function numbers() {
  const q = name => elastica.quantities.find(a => a.name === name);
  claim("all frames are there", elastica.run.times.length === expected.frames, elastica.run.times.length);
  for (const e of expected.rods) {
    const rod = rodsOf(run.blocks[e.frame].tubes).find(r => r.number === e.rod), nodes = nodesOf(e.frame, rod), radii = [...readRod(e.frame, rod, false).r.subarray(0, rod.n)], name = `rod ${e.rod} at frame ${e.frame}`;
    const far = Math.max(...nodes.map((x, i) => size(add(x, e.nodes[i], -1))));
    claim(`${name}: nodes`, far < 2 * run.blocks[e.frame].rounding.resolution, far);
    claim(`${name}: radii`, radii.every((r, j) => close(r, e.radius[j], 1e-4 * r)));
    for (const [quantity, floor] of [["tension", 1e-5], ["strain", 1e-9], ["curvature", 1e-8], ["twist", 1e-8]]) {
      const values = valuesOf(e.frame, rod, q(quantity));
      claim(`${name}: ${quantity}`, values.length === e[quantity].length && values.every((v, j) => close(v, e[quantity][j], Math.abs(v) / 4096 + floor)));
    }
  }
}

/* The rods are drawn where they are, as thick as they are, in the colour of their rod; picking finds them. */
function pixels() {
  setPlaying(false);
  setColour(null);
  setDark(false);
  for (const e of expected.rods.filter(r => r.rod === 0)) {
    setTime(run.times[e.frame]);
    follow(true);
    for (const i of [6, 14, 20]) {
      const x = e.nodes[i].map((c, a) => .5 * (c + e.nodes[i + 1][a])), at = elastica.screen(x), found = hit(...at), p = look(at), name = `element ${i} of rod 0 at frame ${e.frame}`;
      claim(`${name} is picked`, found && found.rod === 0 && Math.abs(found.element - i) <= 1, JSON.stringify(found));
      claim(`${name} has its colour`, warmth(p) > 25, p);
      const { right, upward } = matrices(), r = e.radius[i], t = add(e.nodes[i + 1], e.nodes[i], -1), out = unit(cross(t, cross(right, upward)));
      for (const [share, inside] of [[.8, true], [1.35, false]]) {
        const beside = look(elastica.screen(add(x, out, share * r)));
        claim(`${name}: ${share} radii beside its axis ${inside ? "it is" : "is not it"}`, (warmth(beside) > 25) === inside, beside);
      }
    }
  }
  const first = expected.rods.find(e => e.rod === 0 && e.frame > 0), shown_ = hit(...elastica.screen(first.nodes[12]));
  shown.picked = shown_ || { rod: 0, element: 12 };
  showPicked();
  const told = document.getElementById("picked").textContent;
  const edge = $("picked").getBoundingClientRect().right - 10, cut = [...$("picked").querySelectorAll("td")].filter(td => td.getBoundingClientRect().right > edge);
  claim("no number of the panel is cut", cut.length === 0, cut.map(td => td.textContent));
  claim("the panel of a picked element has its numbers", /tension/.test(told) && /speed, mean of its nodes/.test(told), told);
}

function movement() {
  setTime(run.times[0]);
  const begin = picture(), blank = begin.every((v, k) => Math.abs(v - begin[k % 4]) < 60);
  claim("the picture is not blank", !blank);
  setTime(run.times[run.times.length - 1]);
  claim("time changes the picture", different(picture(), begin) > 2000, different(picture(), begin));
  setTime(run.times[0]);
  claim("and back it is the same", different(picture(), begin) === 0);
  setDark(true);
  claim("dark is dark", look([30, innerHeight / 2])[0] < 80);
  setDark(false);
  const widths = [...$("bottom").children].filter(e => !e.hidden).map(e => e.getBoundingClientRect());
  claim("the controls fit the window", widths.every(r => r.left >= 0 && r.right <= innerWidth && r.bottom <= innerHeight), JSON.stringify(widths));
  for (const q of elastica.quantities) {
    setColour(q);
    setTime(run.times[20]);
    picture();
    claim(`${q.name} has a scale`, document.getElementById("most").textContent.length > 0 && q.range[1] > q.range[0], q.range);
  }
  claim("the colours offer slip", elastica.quantities.some(q => q.name === "slip"));
  const arrows = run.blocks.filter(b => b.arrows && b.arrows.counts[b.local] > 0);
  claim("contacts and walls have arrows", arrows.length > 0);
  setTime(run.times[run.blocks.indexOf(arrows[0])]);
  const bare = picture();
  showPicked();
  const [key, panel] = ["legend", "picked"].map(id => $(id).getBoundingClientRect());
  claim("the panel of a picked element is below the legend", panel.height > 0 && key.bottom < panel.top && panel.bottom < innerHeight - 50, JSON.stringify([key, panel]));
  claim("the legend names the colours of arrows", /sticking.*sliding/.test($("marks").textContent), $("marks").textContent);
  toggle("forces");
  claim("the arrows are drawn", different(picture(), bare) > 50, different(picture(), bare));
  picture();
  const gl = document.querySelector("#scene").getContext("webgl2");
  claim("WebGL has no error", gl.getError() === 0);
  savePicture();
}

window.visited = elastica.ready.then(async () => {
  try {
    claim("the page has no error", !elastica.error, elastica.error);
    claim("the page has no note", run.notes.length === 0, run.notes.join(" "));
    await streams();
    numbers();
    pixels();
    movement();
  } catch (error) {
    claim("the test runs", false, error.stack);
  }
  const said = document.createElement("pre");
  said.textContent = `\n${claims.join("\n")}\nend of claims\n`;
  document.body.append(said);
});
