/* Claims about parts.html: sizes of the scene and of its parts. */
const claims = [];
function claim(name, holds, said) {
  claims.push(`${holds ? "ok" : "FAILED"} ${name}${holds ? "" : `: ${said}`}`);
}

window.visited = elastica.ready.then(() => {
  setPlaying(false), setTime(run.times[0]), render();
  claim("an endless obstacle has the size of its part near the rods", scene.radius < 1.2, scene.radius);
  const at = listOf(gpu.shapes.cylinder.instances, k => gpu.shapes.cylinder.numbers.slice(20 * k + 12, 20 * k + 15));
  claim("and is drawn there", at.length === 1 && Math.abs(at[0][1]) < 1, JSON.stringify(at));
  const box = scene.boxes[0];
  claim("the box includes the thick end of a tapered rod", box.low[1] <= -.2 && box.high[0] >= 1.2 && box.low[2] <= -.2, JSON.stringify(box));
  claim("a rod that is twisted is no cycle", !scene.isCycle, scene.isCycle);
  claim("the ball of a joint is no thicker than the plate", run.blocks[0].joints.radius[0] < .021, run.blocks[0].joints.radius);
  const [taut, slack] = listOf(2, k => current.place[4 * (2 * (24 + 3) + k * (25 + 2) + 3) + 3]);
  claim("a slack tendon is thinner", slack > 0 && slack < .6 * taut, [taut, slack]);
  const panel = tendon => {
    shown.picked = tendon, showPicked();
    return $("picked").textContent;
  };
  const names = run.blocks[0].cables.cables.map(c => c[0]), told = names.map(cable => panel({ cable }));
  claim("a tendon has its tension", /tension2 N/.test(told[0]) && /tension0 N, slack/.test(told[1]), told);
  look(axes[1]), render();
  const x = cablePoints(run.blocks[0])[1][12], found = hit(...elastica.screen(x));
  claim("a click finds a tendon", found && found.cable === names[1], JSON.stringify(found));
  look(axes[2]), render();
  const inner = cablePoints(run.blocks[0])[2][12], middle = nodeOf(run.blocks[0], rodNumbered(0, 0), 12), clicks = [inner, add(middle, add(middle, inner, -1))].map(x => hit(...elastica.screen(x)));
  claim("a click finds a tendon in a rod, and the rod beside it", clicks[0].cable === names[2] && clicks[1].rod === 0, JSON.stringify(clicks));
}).catch(error => claim("the test runs", false, error.stack)).then(() => {
  const said = document.createElement("pre");
  said.textContent = `\n${claims.join("\n")}\nend of claims\n`;
  document.body.append(said);
});
