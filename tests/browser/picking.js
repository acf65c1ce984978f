/* Claims about picking.html: a click finds the element or body that is seen there. */
const claims = [];
function claim(name, holds, said) {
  claims.push(`${holds ? "ok" : "FAILED"} ${name}${holds ? "" : `: ${said}`}`);
}

window.visited = elastica.ready.then(() => {
  const rods = rodsOf(run.blocks[0].tubes), nodes = rods.map(rod => nodesOf(0, rod)), middle = (k, j) => times(add(nodes[k][j], nodes[k][j + 1]), .5);
  const pick = x => hit(...elastica.screen(x)), { at } = (render(), matrices());
  /* The visible middle of an element: its point that is nearest to the eye. */
  const wrong = listOf(100, j => {
    const x = middle(0, j), axis = unit(add(nodes[0][j + 1], nodes[0][j], -1)), eye = add(at, toScene(x), -1), found = pick(add(x, unit(add(eye, axis, -dot(eye, axis))), .02));
    return found && found.rod === 0 ? found.element - j : "none";
  }).filter(v => v !== 0);
  claim("a click on an element finds it", wrong.length === 0, wrong);
  look(axes[1]), render();
  const [one, other] = [1, 2].map(k => pick(middle(k, 50))), apart = elastica.screen(middle(2, 50))[1] - elastica.screen(middle(1, 50))[1];
  claim("a click finds the nearest of two rods in the window, in front or behind", one?.rod === 1 && other?.rod === 2 && Math.abs(apart) < 6, JSON.stringify([one, other, apart]));
  const beside = elastica.screen(middle(2, 50)), found = hit(beside[0], beside[1] + 4);
  claim("a click beside a thin rod finds it", found?.rod === 2, JSON.stringify(found));
  claim("a click beside everything finds nothing", hit(5, innerHeight - 200) === null, JSON.stringify(hit(5, innerHeight - 200)));
  const ball = pick([.5, 0, -.2]);
  claim("a body hides the rod in it, and is found", ball && ball.body === 4, JSON.stringify(ball));
  const hidden = pick([.2, 0, -.2]), clear = (toggle("solid"), pick([.2, 0, -.2]));
  toggle("solid");
  claim("an obstacle hides the rod in it unless it is seen through", hidden === null && clear?.rod === 3, JSON.stringify([hidden, clear]));
  shown.picked = ball, showPicked();
  const told = Object.fromEntries([...$("picked").querySelectorAll("tr")].map(row => [row.cells[0].textContent, row.cells[1].textContent]));
  claim("a body has its numbers", $("picked").querySelector("strong").textContent === "body 4" && told.shape === "sphere" && /^500(\.0+)? mm$/.test(told.x) && told.radius === "120 mm", JSON.stringify(told));
}).catch(error => claim("the test runs", false, error.stack)).then(() => {
  const said = document.createElement("pre");
  said.textContent = `\n${claims.join("\n")}\nend of claims\n`;
  document.body.append(said);
});
