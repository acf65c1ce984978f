/* Claims about changes.html: the page tells the numbers of the run, and no others. */
const claims = [];
function claim(name, holds, said) {
  claims.push(`${holds ? "ok" : "FAILED"} ${name}${holds ? "" : `: ${said}`}`);
}

/* Numbers of the run that the viewer searches while it loads. */
let searched = 0;
const some = Int32Array.prototype.some;
Int32Array.prototype.some = function (is) {
  return some.call(this, v => (searched++, is(v)));
};

/* Rows of the panel of an element at a time. */
function panel(time, rod, element) {
  setTime(time);
  shown.picked = { rod, element };
  showPicked();
  return Object.fromEntries([...$("picked").querySelectorAll("tr")].map(row => [row.cells[0].textContent, row.cells[1].textContent]));
}

window.visited = elastica.ready.then(() => {
  const { times, told } = run, last = times.length - 1, strain = quantities.find(q => q.name === "strain");
  setPlaying(false);
  const stored = run.blocks.filter(b => b.local === 0).reduce((sum, b) => sum + b.tubes.arrays.reduce((n, { name }) => n + b.tubes[name].x.length, 0), 0);
  claim("a number is searched at most once while the page loads", searched > 0 && searched <= stored, `${searched} of ${stored}`);
  claim("two frames have one time", told[3] === told[4] && times[4] > times[3], told.slice(3, 5));
  const passed = [];
  setTime(times[0]);
  for (let k = 0; k < 6; k++) passed.push(now().low), stepFrame(1);
  for (let k = 0; k < 6; k++) passed.push(now().low), stepFrame(-1);
  claim("steps visit each frame", passed.join() === "0,1,2,3,4,5,6,5,4,3,2,1", passed);
  setTime(.1 * times[1] + .9 * times[2]);
  stepFrame(-1);
  claim("a step back from between two frames ends at the earlier one", now().low === 1, now().low);

  setColour(strain);
  claim("a scale includes the last frame", Math.abs(strain.range[1] - .1) < 1e-4, strain.range);
  setColour(quantities.find(q => q.name === "curvature"));
  const bar = $("bar").getContext("2d").getImageData(0, 0, 256, 1).data;
  claim("a constant has one colour", [...bar].every((v, k) => v === bar[k % 4]), bar);
  claim("a constant has one number", $("least").textContent === "0 1/ell" && $("most").textContent === "everywhere", `${$("least").textContent} ${$("most").textContent}`);

  const speeds_ = { name: "speed", unit: "m/s", at: "node" }, tubes_ = [...new Set(run.blocks.map(b => b.tubes))], kept_ = tubes_.map(t => t.speed.x);
  const coded = v => new Int32Array(Float32Array.of(v).buffer)[0] >> 12, colours = (least, most) => {
    for (const t of tubes_) t.speed.x = kept_[0].constructor.from({ length: t.speed.x.length }, (_, k) => coded(k % 2 ? least : most));
    const q = { ...speeds_ };
    findRange(q);
    return `${Math.round(255 * (most - least) / (q.range[1] - q.range[0]))} ${q.told.join(" ")}`;
  };
  const scales = [colours(5e-12, 14e-12), colours(1, 1.0005), colours(5e-6, 14e-6)];
  claim("a scene at rest and a constant have one colour", /^0 ≤ 1.40e−11 ell\/s everywhere$/.test(scales[0]) && /^0 .* everywhere$/.test(scales[1]) && /^1\d\d 0 /.test(scales[2]), scales);
  const told_ = run.told;
  run.told = [0, 1e10];
  const slow = colours(5e-12, 14e-12);
  run.told = told_;
  claim("small speeds in a long run have colours", /^1\d\d 0 ell\/s 1.40e−11 ell\/s$/.test(slow), slow);
  tubes_.forEach((t, k) => { t.speed.x = kept_[k]; });

  const unitOf = name => [...$("colour").options].find(o => o.value === name).textContent;
  claim("any unit stands beside its quantity", unitOf("tension") === "tension [<lbf>]", unitOf("tension"));
  claim("numbers have three digits", tell(.12345, "") === "0.123" && tell(12.345, "m") === "12.3 ell", [tell(.12345, ""), tell(12.345, "m")]);
  const units = [run.length_unit, run.force_unit];
  [run.length_unit, run.force_unit] = ["mm", "uN"];
  const fit = [tell(-1.73e7, "N"), tell(2.5e6, "m"), tell(1e-7, "N m"), tell(12, "1/m"), tell(0, "N")];
  claim("prefixes replace those of units", fit.join() === "−17.3 N,2.5 km,100 fN mm,12 1/mm,0 µN", fit);
  [run.length_unit, run.force_unit] = units;

  const now_ = panel(times[7], 0, 3), middle = panel(.5 * (times[7] + times[8]), 0, 3), later = panel(times[8], 0, 3);
  claim("a number between two frames is that of the scene", now_.strain === "7.00e−4" && later.strain === "8.00e−4" && /^7\.5/.test(middle.strain),
    [now_, middle, later].map(p => p.strain));
  claim("rounding errors are no curvature", now_.curvature === "0 1/ell", now_.curvature);
  claim("a position has its digits", /^0\.14594, 0, 0\.4 ell$/.test(now_.position), now_.position);
  claim("a zero has the unit of the run", tell(0, "N m") === "0 <lbf> ell", tell(0, "N m"));
  claim("all minus signs are alike", tell(-1e-5, "") === "−1.00e−5", tell(-1e-5, ""));
  const single = panel(times[7], 1, 0), gone = panel(times[60], 1, 0);
  claim("a rod of one element has no curvature", single.curvature === "–", single.curvature);
  claim("a removed rod has no numbers", Object.keys(gone).join() === "not in the scene at this time", JSON.stringify(gone));

  const tip = time => {
    setTime(time), render();
    return { x: current.place[4 * 25], rods: current.rods.length }; /* of rod 0, behind its 24 elements */
  };
  const [kept, between, removed] = [times[49], .25 * times[49] + .75 * times[50], times[50]].map(tip), steps = removed.x - kept.x;
  claim("a rod moves on while another one disappears", steps > 0 && Math.abs(between.x - kept.x - .75 * steps) < .01 * steps, [kept.x, between.x, removed.x]);
  claim("a removed rod is there up to its frame", kept.rods === 2 && between.rods === 2 && removed.rods === 1, [kept.rods, between.rods, removed.rods]);
  cache.clear(), loaded = "";
  run.blocks[7].cables = { cables: [[7, 2]], tension: { x: new Int32Array(100).fill(260000), row: 1 }, position: { x: new Float64Array(600).fill(9), size: 2, row: 6, origin: [0, 0, 0], resolution: 1 } };
  const wire = [times[7], .5 * (times[7] + times[8])].map(time => (tip(time), current.place[4 * 32])); /* behind 27 + 4 stations of rods */
  claim("a cable that disappears stands until then", wire[0] !== 0 && wire[0] === wire[1], wire);
  delete run.blocks[7].cables;
  cache.clear(), loaded = "";
  const share = panel(.5 * (times[49] + times[50]), 0, 3).strain;
  claim("so are the numbers of one that stays", /^0\.00495/.test(share), share);

  const visit = hash => {
    history.replaceState(null, "", hash);
    readAddress();
  };
  setTime(times[0]);
  for (const hash of ["#t=later", "#t=NaN"]) visit(hash);
  claim("an address without a time leaves the time", shown.time === times[0], shown.time);
  setTime(times[9]);
  writeAddress();
  setTime(times[0]);
  visit(location.hash);
  claim("an address leads back to its frame", now().low === 9 && now().part === 0, now().low);
  visit("#view=1e9,7,0,0,0,0");
  claim("an address keeps to the limits of the view", Math.abs(camera.yaw) < 7 && camera.pitch < 1.58 && camera.distance > 0, JSON.stringify(camera));
  resetView();
  Object.assign(camera, { follows: false, distance: 4e-4, target: [.123456, .2, .3] }), writeAddress();
  resetView(), visit(location.hash);
  claim("an address leads back to a detail", Math.abs(camera.distance - 4e-4) < 1e-6 && Math.abs(camera.target[0] - .123456) < 1e-6, location.hash);
  resetView();

  const press = (key, target) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  setPlaying(false);
  const left = press(" ", $("theme"));
  claim("space is left to a button that has the focus", left && !shown.playing, `${left} ${shown.playing}`);
  press(" ", document.body);
  claim("space plays elsewhere", shown.playing, shown.playing);
  setPlaying(false);

  $("colour").focus();
  const chosen = press("ArrowDown", $("colour")), rest = press("ArrowDown", document.body);
  press(".", $("colour")), press("t", $("colour"));
  claim("keys act with the focus on the menu of colours, and arrows choose in it", chosen && rest && shown.speed === 2 && shown.dark, [chosen, rest, shown.speed, shown.dark]);
  press("t", $("colour")), press(",", $("colour"));
  $("colour").dispatchEvent(new MouseEvent("pointerdown", { bubbles: true })), $("colour").dispatchEvent(new Event("change", { bubbles: true }));
  claim("after a choice by mouse the keys belong to the scene", document.activeElement === document.body, document.activeElement.outerHTML.slice(0, 60));

  const nameless = [...document.querySelectorAll("button, select, input, canvas")].filter(e => e.getAttribute("aria-hidden") === null)
    .filter(e => !/\w/.test(e.getAttribute("aria-label") || (e.labels && e.labels[0] ? e.labels[0].textContent : e.title || e.textContent)));
  claim("each control has a name for screen readers", nameless.length === 0, nameless.map(e => e.outerHTML.slice(0, 60)));
  const yaw = camera.yaw, distance = camera.distance;
  canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", shiftKey: true, bubbles: true, cancelable: true })), press("+", canvas);
  claim("keys turn and zoom the scene", camera.yaw < yaw && camera.distance < distance, [camera.yaw - yaw, camera.distance - distance]);
  resetView();
  panel(times[7], 0, 3);
  const button = [...$("picked").querySelectorAll("td button")].find(b => b.textContent === "tension");
  button.focus(), button.click(), setTime(times[8]), tick(before + 16);
  claim("the focus stays in the panel while time passes", document.activeElement === button && plotted.name === "tension", document.activeElement.outerHTML);
  button.blur();
  const alone = { ...run.blocks[7] }, all = [run.blocks, run.times, run.told];
  Object.assign(run, { blocks: [alone], times: [0], told: [0] });
  const dot_ = panel(0, 0, 3), drawn = $("plot").firstChild.getContext("2d").getImageData(0, 0, 8, $("plot").firstChild.height).data.some((v, k) => k % 4 === 3 && v > 200);
  claim("a run of one frame has its numbers, and a point in the plot", /\d/.test(dot_.strain) && drawn, JSON.stringify(dot_));
  [run.blocks, run.times, run.told] = all;
  shown.picked = null, showPicked();

  setTime(times[3]);
  run.counted = true;
  tick(before + 16);
  claim("numbered frames tell their times, too", /^frame 4 of \d+, t = /.test($("clock").textContent), $("clock").textContent);
  run.counted = false;

  setTime(times[last]);
  tick(before + 16);
  claim("the clock tells frames apart", /^20\.00000800\d* of 20\.00000800\d* s$/.test($("clock").textContent), $("clock").textContent);
}).catch(error => claim("the test runs", false, error.stack)).then(() => {
  const said = document.createElement("pre");
  said.textContent = `\n${claims.join("\n")}\nend of claims\n`;
  document.body.append(said);
});
