#!/bin/sh
# Pages in a browser: run.sh <compiler> <library> <scratch folder>
# Without chromium it prints a line and ends with status 0.
set -eu

compiler=$1 library=$2 folder=$3
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
. "$here/visit.sh"
if [ -z "$browser" ]; then
  echo "INFO browser tests: SKIP, there is no chromium"
  exit 0
fi
rm -rf "$folder"
mkdir -p "$folder"
$compiler -std=c11 -Wall -Wextra -Werror -I"$root/include" -I"$root/src" "$here/scene.c" "$library" -lm -o "$folder/scene"
"$folder/scene" "$folder"

failed=0
: >"$folder/claims.txt"
claims() { # page, hash, scripts ...
  visit "$@"
  sed -n '/^\(ok\|FAILED\) /p' "$folder/dom.html" >>"$folder/claims.txt"
  grep -q '^end of claims' "$folder/dom.html" || { echo "FAILED: $1 does not come to an end"; failed=1; }
}
# The last page must have told this in its data set.
told() { # name, expected, claim
  if grep -q "data-$1=\"$2\"" "$folder/dom.html"; then
    echo "ok $3" >>"$folder/claims.txt"
  else
    echo "FAILED $3: $(sed -n "s/.*data-$1=\"\([^\"]*\)\".*/\1/p" "$folder/dom.html")"
    failed=1
  fi
}

claims "$folder/scene.html" "#theme=light" "$folder/expected.js" "$here/scene.js"
claims "$folder/changes.html" "#theme=light" "$here/changes.js"
claims "$folder/picking.html" "#theme=light" "$here/picking.js"
claims "$folder/parts.html" "#theme=light" "$here/parts.js"
# The page in frames of several widths; each tells its width and the claims that fail.
cat >"$folder/narrow.js" <<'END'
const fitting = () => {
  shown.picked = { rod: 0, element: 3 }, showPicked();
  $("clock").textContent = "frame 21 of 27, t = 110 ms";
  const text = new Range(), ids = "play back next scrub speed reset theme save ask picked scale legend".split(" ");
  text.selectNodeContents($("clock"));
  const boxes = ["bottom", "legend", "picked"].map(id => $(id).getBoundingClientRect()), parts = [...$("bottom").children, ...$("picked").querySelectorAll("td")];
  const places = [text, ...ids.map($)].map(e => e.getBoundingClientRect()).filter(r => r.width > 0);
  const apart = (a, b) => a.right <= b.left + .5 || b.right <= a.left + .5 || a.bottom <= b.top + .5 || b.bottom <= a.top + .5;
  const inside = parts.every(e => e.getBoundingClientRect().right <= innerWidth - 16) && boxes.every(r => r.left >= 0 && r.bottom <= innerHeight) && boxes[2].bottom <= boxes[0].top;
  return [["the panels fit", inside], ["nothing covers a control", places.every((a, i) => places.every((b, j) => i <= j || apart(a, b)))]]
    .map(([name, holds]) => `${holds ? "ok" : "FAILED"} ${name} in a window of ${innerWidth} pixels`);
};
window.visited = elastica.ready.then(() => window !== top ? parent.postMessage(fitting(), "*") : new Promise(done => {
  const said = [], widths = [640, 480, 400, 320], next = () => {
    const frame = document.createElement("iframe");
    Object.assign(frame.style, { width: `${widths[0]}px`, height: "700px", border: 0 });
    frame.src = location.href;
    document.body.append(frame);
    onmessage = e => {
      said.push(...e.data);
      frame.remove(), widths.shift();
      if (widths.length > 0) return next();
      const text = document.createElement("pre");
      text.textContent = `\n${said.join("\n")}\nend of claims\n`;
      document.body.append(text);
      done();
    };
  };
  next();
}));
END
claims "$folder/scene.html" "#theme=dark" "$folder/narrow.js"
if grep '^FAILED' "$folder/claims.txt"; then failed=1; fi

# The message of the page to its reader.
note() { # name, page, pattern
  visit "$2" ""
  if sed -n '/id="note"/,/<\/div>/p' "$folder/dom.html" | grep -q "$3"; then
    echo "ok $1" >>"$folder/claims.txt"
  else
    echo "FAILED $1: $(sed -n '/id="note"/,/<\/div>/p' "$folder/dom.html" | head -n 2)"
    failed=1
  fi
}
# More rods than a block of frames, so that a cut leaves whole blocks.
size=$(wc -c <"$folder/scene.html")
begin=$(grep -n '^<script id="run"' "$folder/scene.html" | cut -d: -f1)
sed "$((begin + 2))i\\
meshes eJyrVipJLS5RslIqSS0uUaoFAC0UBWs=" "$folder/scene.html" >"$folder/unknown.html"
note "an unknown record is told" "$folder/unknown.html" 'does not know “meshes”: 1 record'
sed '/^end /d' "$folder/scene.html" >"$folder/no_end.html"
note "a file without its end is told" "$folder/no_end.html" 'ends early: it shows the 40 frames'
head -c $((size - 3000)) "$folder/scene.html" >"$folder/cut.html"
note "a file that is cut is told" "$folder/cut.html" 'holds no frame\|ends early'
head -n "$begin" "$folder/scene.html" >"$folder/empty.html"
note "a viewer without a run is told" "$folder/empty.html" 'holds no frame'

note "contacts without arrows are told" "$folder/arrows.html" 'Of up to 1200 forces of contact in a frame, 1000 are drawn'
note "triangles that are drawn as fewer are told" "$folder/arrows.html" 'Obstacle 1 is drawn with [0-9]* triangles in place of [0-9]*, for the size'

# The frames of a cycle are numbered, and playing goes on at its end.
cat >"$folder/cycle.js" <<END
window.visited = elastica.ready.then(() => {
  const last = run.times.length - 1, said = [run.counted ? "numbered" : "timed", scene.isCycle ? "cycle" : "once"];
  setTime(last), setPlaying(true), setTime(last), tick(before + 16), said.push(shown.time === 0 ? "again" : "waits");
  elastica.setTime(6), elastica.render();
  said.push(nodesOf(6, rodsOf(run.blocks[6].tubes)[0]).pop()[2] > nodesOf(0, rodsOf(run.blocks[0].tubes)[0]).pop()[2] + .09 ? "bent" : "straight");
  document.body.dataset.cycle = said.join(" ");
});
END
visit "$folder/cycle.html" "" "$folder/cycle.js"
told cycle "numbered cycle again bent" "a cycle plays without a pause"

# A small part of a large scene is drawn, at the first view and nearer.
cat >"$folder/detail.js" <<END
window.visited = elastica.ready.then(() => {
  const gl = document.querySelector("#scene").getContext("webgl2"), p = new Uint8Array(4), seen = () => {
    elastica.render();
    const x = elastica.screen([5, 0, 0]), r = gl.drawingBufferWidth / innerWidth;
    gl.readPixels(Math.round(x[0] * r), gl.drawingBufferHeight - 1 - Math.round(x[1] * r), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, p);
    return p[0] - p[2] > 25 ? "rod" : "blank " + p;
  };
  setPlaying(false), setColour(null), resetView();
  const first = seen(), span = camera.distance * scene.radius * 2 * HALF_VIEW;
  zoomBy(.8);
  document.body.dataset.detail = [first, seen(), Math.round(1e6 * span)].join(" ");
}).catch(e => document.body.dataset.detail = e.stack);
END
visit "$folder/detail.html" "#theme=light" "$folder/detail.js"
told detail "rod rod 10000" "a detail is drawn"

# Meshes and surfaces are drawn: a block from outside, a room behind the block, so that both and the rod are seen, a surface below in two pieces.
cat >"$folder/meshes.js" <<END
window.visited = elastica.ready.then(() => {
  const gl = document.querySelector("#scene").getContext("webgl2"), said = [], pixel = () => {
    const p = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, p);
    return p;
  };
  const seen = at => { const x = elastica.screen(at), r = gl.drawingBufferWidth / innerWidth, p = new Uint8Array(4);
    gl.readPixels(Math.round(x[0] * r), gl.drawingBufferHeight - 1 - Math.round(x[1] * r), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, p);
    return [...p]; };
  const different = (one, other) => one.reduce((n, v, i) => n + (Math.abs(v - other[i]) > 4 ? 1 : 0), 0);
  setPlaying(false), setColour(null), setTime(0), elastica.render();
  const rod = seen([.5, 0, .4]);
  said.push(scene.skins.length, rod[0] - rod[2] > 25 ? "rod" : "hidden " + rod);
  const all = pixel();
  for (let k = 0; k < 3; k++) {
    const piece = scene.skins[k], count = piece.count;
    piece.count = 0;
    elastica.render();
    const without = pixel();
    piece.count = count;
    said.push(different(all, without) > 3000 ? "drawn" : "absent");
  }
  for (let k = 0; k < 2; k++) { /* the key of obstacles */
    dispatchEvent(new KeyboardEvent("keydown", { key: "o" }));
    elastica.render();
    said.push(different(all, pixel()) > 3000 ? "clear" : "solid");
  }
  said.push(document.querySelector("#marks input[name=solid]").checked, document.querySelector("#through").textContent, gl.getError());
  document.body.dataset.meshes = said.join(" ");
}).catch(e => document.body.dataset.meshes = e.stack);
END
visit "$folder/meshes.html" "#theme=light" "$folder/meshes.js"
told meshes "4 rod drawn drawn drawn clear solid true near walls of ducts and rooms are left out 0" "meshes and surfaces are drawn, solid or clear"

# A sheet around a rod is seen through at first; the key of obstacles makes it solid.
cat >"$folder/pipe.js" <<END
window.visited = elastica.ready.then(() => {
  const gl = document.querySelector("#scene").getContext("webgl2"), p = new Uint8Array(4), seen = () => {
    elastica.render();
    const x = elastica.screen([.5, 0, .4]), r = gl.drawingBufferWidth / innerWidth;
    gl.readPixels(Math.round(x[0] * r), gl.drawingBufferHeight - 1 - Math.round(x[1] * r), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, p);
    return p[0] - p[2] > 25 ? "rod" : "wall";
  };
  setPlaying(false), setColour(null);
  const first = [shown.time, document.querySelector("#marks input[name=solid]").checked, seen(), document.querySelector("#through").textContent];
  dispatchEvent(new KeyboardEvent("keydown", { key: "o" }));
  document.body.dataset.pipe = [...first, seen(), document.querySelector("#marks input[name=solid]").checked].join(" ");
}).catch(e => document.body.dataset.pipe = e.stack);
END
visit "$folder/pipe.html" "#theme=light" "$folder/pipe.js"
told pipe "0 false rod off at first: rods lie inside wall true" "a sheet around a rod is seen through at first"

# Bodies in a tank without rods. Along the axes y and -y, the box is seen through the ball in front of it and hidden behind the solid one; the
# light of the translucent ball and capsule changes gradually, without a second face behind their first.
cat >"$folder/tank.js" <<END
window.visited = elastica.ready.then(() => {
  const gl = document.querySelector("#scene").getContext("webgl2"), p = new Uint8Array(4), label = document.querySelector("#choice");
  const seen = at => { const x = elastica.screen(at), r = gl.drawingBufferWidth / innerWidth;
    gl.readPixels(Math.round(x[0] * r), gl.drawingBufferHeight - 1 - Math.round(x[1] * r), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, p);
    return [...p]; };
  const first = elastica.shown.solid ? "solid" : "clear", legend = document.querySelector("#legend").hidden ? "none" : label && label.hidden ? "boxes" : "colours";
  const boxIsSeen = () => {
    const box = gpu.shapes.box, instances = box.instances;
    elastica.render();
    const one = seen([0, -.2, 0]);
    box.instances = 0, elastica.render(), box.instances = instances;
    return Math.max(...seen([0, -.2, 0]).map((c, a) => Math.abs(c - one[a]))) > 12 ? "seen" : "hidden";
  };
  const jump = (from, to) => {
    let most = 0, last = null;
    elastica.render();
    for (let k = 0; k <= 60; k++) {
      const now = seen(from.map((c, a) => c + k / 60 * (to[a] - c)));
      if (last) most = Math.max(most, ...now.map((c, a) => Math.abs(c - last[a])));
      last = now;
    }
    return most < 12 ? "smooth" : "jumps by " + most;
  };
  setPlaying(false), look([0, 1, 0]), follow(true);
  const said = [boxIsSeen(), jump([0, .1, .08], [0, .1, .17]), jump([-.22, .1, .52], [.22, .1, .52])];
  look([0, -1, 0]), said.push(boxIsSeen());
  look([0, 1, 0]), toggle("solid"), said.push(boxIsSeen());
  document.body.dataset.tank = [first, legend, document.querySelector("#through")?.textContent, ...said].join(" ");
}).catch(e => document.body.dataset.tank = e.stack);
END
visit "$folder/tank.html" "#theme=light" "$folder/tank.js"
told tank "clear boxes off at first: bodies lie inside seen smooth smooth seen hidden" "bodies are seen through the obstacles around and before them"

# The first view holds obstacles that move away, or that are in the scene for a short time, with their radius.
cat >"$folder/moving.js" <<END
window.visited = elastica.ready.then(() => {
  setPlaying(false), setTime(run.times[0]), resetView();
  const inside = (x, z) => [-.1, .1].every(r => { const [px, py] = elastica.screen([x + r, 0, z + r]); return px > 0 && px < innerWidth && py > 0 && py < innerHeight; });
  const there = listOf(run.times.length, f => list(run.blocks[f], "solids").length).filter(n => n > 1).length;
  document.body.dataset.moving = [there, inside(0, 0), inside(-2, 0), inside(0, 3)].join(" ");
}).catch(e => document.body.dataset.moving = e.stack);
END
visit "$folder/moving.html" "#theme=light" "$folder/moving.js"
told moving "2 true true true" "the first view holds obstacles that move or come later"

# The frame rate: each frame is finished before the next one begins.
cat >"$folder/drawn.js" <<END
window.visited = elastica.ready.then(() => {
  const gl = document.querySelector("#scene").getContext("webgl2"), last = run.times.length - 1, pixel = new Uint8Array(4), count = 150;
  const rateAt = fineness => {
    const begin = performance.now();
    shown.playing = true, shown.fineness = fineness;
    for (let k = 0; k < count; k++) {
      setTime(run.times[last] * (k + .37) / count);
      render();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    }
    shown.playing = false;
    return Math.round(1000 * count / (performance.now() - begin));
  };
  setPlaying(false);
  rateAt(.41);
  document.body.dataset.drawn = rateAt(1) + " frames a second, while playing slowly with fewer pixels " + rateAt(.41) + ", on " + scene.renderer;
});
END
visit "$folder/many.html" "#theme=light" "$folder/drawn.js"
echo "INFO browser tests: 3173 rods at 900 x 700: $(sed -n 's/.*data-drawn="\([^"]*\)".*/\1/p' "$folder/dom.html" | head -n 1)"

grep -c '^ok' "$folder/claims.txt" | sed 's/$/ claims hold in the browser/; s/^/INFO browser tests: /'
exit $failed
