"""A rubber cantilever: its sag at rest, its natural frequencies, and a page on which it swings.

    python3 cantilever.py [page.html]
"""

import sys

import elastica as ea

if len(sys.argv) > 2 or len(sys.argv) == 2 and sys.argv[1].startswith("-"):
    sys.exit(__doc__.strip())
world = ea.World()
rod = world.add_rod(element_count=50, direction=(1, 0, 0), length=1.0, radius=0.02, density=1000.0, youngs_modulus=1e7)
world.add_boundary(rod)
world.add_gravity((0, 0, -9.81))

rest = world.relax()
print("sag at rest: %.4f m, stable: %s" % (-rod.position[2, -1], bool(rest.stable)))
for mode in world.modes_find(count=3):
    print("frequency: %.4f Hz" % mode.frequency)

rod.set_state(velocity=[[0] * 51, [0] * 51, [2 * k / 50 for k in range(51)]])  # a blow upwards
if len(sys.argv) > 1:
    with world.view_open(sys.argv[1], title="a rubber cantilever") as page:
        world.set_sampler(sample=lambda world: page.frame(), interval=0.02)
        world.advance(2.0)
else:
    world.advance(2.0)
print("tip after 2 s: z = %.4f m; strain of the first element: %.2e" % (rod.position[2, -1], rod.dilatation[0] - 1))
