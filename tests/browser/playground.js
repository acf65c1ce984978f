/* Claims about the page of the playground, behind its scripts. */

/* The claims ask for the pictures. */
window.requestAnimationFrame = () => 0;

window.visited = playground.then(async () => {
  const claims = [], claim = (name, holds, told) => claims.push(holds ? `ok ${name}` : `FAILED ${name}: ${told}`);
  const gl = document.querySelector("#scene").getContext("webgl2"), seen = () => {
    elastica.render();
    const p = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, p);
    return p;
  };
  const changed = (a, b) => a.reduce((n, v, i) => n + (Math.abs(v - b[i]) > 8 ? 1 : 0), 0);
  const move = (name, to) => { document.getElementById(name).value = to; document.getElementById(name).oninput(); };
  const pictures = count => { for (let k = 0; k < count; k++) advance(last + 50); };
  const told = document.getElementById("told"), bits = document.getElementById("bits"), tip = () => elastica.node(0, 0, run.blocks[0].tubes.rods[0][1]);

  claim("the page has no error", !elastica.error && !failed, told.textContent);
  pictures(3);
  const first = seen(), high = tip()[1], tubes = gpu.tubes.total;
  gpu.tubes.total = 0;
  claim("the rod is drawn", changed(first, seen()) > 2000, "the picture without tubes is the same");
  gpu.tubes.total = tubes;
  pictures(8);
  claim("the rod falls", tip()[1] < high - 1e-3, `its tip is at ${tip()}, and was at ${high}`);
  claim("the step and its mode are told", /stable step .*s, limited by the mode of \w+/.test(told.textContent), told.textContent);

  for (const [name, to] of [["length", .8], ["modulus", 6], ["elements", 12], ["load", 2], ["damping", 1.5]]) {
    const before = seen(), limit = live.limit();
    move(name, to);
    pictures(4);
    claim(`the slider of ${name} changes the picture`, changed(before, seen()) > 500, "the picture is the same");
    if (name === "modulus") claim("a tenth of the modulus allows longer steps by its root", live.limit() > 3 * limit && live.limit() < 3.3 * limit, `${limit}, then ${live.limit()}`);
  }
  claim("the rod has the elements of its slider", run.blocks[0].tubes.rods[0][1] === 12, run.blocks[0].tubes.rods[0]);
  must(live.run(live.time() + 4, 60));
  showRod();
  claim("a load of 2 N lifts the rod", tip()[1] > .2, `its tip is at ${tip()}`);

  await document.getElementById("compare").onclick();
  claim("the exact module gives the bits of the native run", / equal\./.test(bits.textContent), bits.textContent);
  claim("the fast one names its macro, and has other bits", /ELASTICA_FAST_MADD/.test(bits.textContent) && !bits.textContent.endsWith(`${modules.native}.`), bits.textContent);
  const wrong = gl.getError();
  claim("no WebGL error", wrong === 0, wrong);
  return claims;
}).catch(error => [`FAILED the claims end early: ${error.stack}`]).then(claims => {
  const text = document.createElement("pre");
  text.textContent = `\n${claims.join("\n")}\nend of claims\n`;
  document.body.append(text);
});
