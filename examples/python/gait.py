"""A search by CMA-ES: how many waves of bending should a swimmer in syrup have, if its muscles bend it up to a given curvature?"""

import math

import elastica as ea

LENGTH, RADIUS, ELEMENTS, MODULUS, PERIOD = 0.1, 0.002, 20, 3e6, 1.0
CURVATURE = 60.0  # [1/m] amplitude of the wave


def speed(waves):
    """[m/s] along the axis, of the mean over the second period."""
    world = ea.World()
    body = world.add_rod(element_count=ELEMENTS, length=LENGTH, radius=RADIUS, density=1000.0, youngs_modulus=MODULUS)
    world.add_drag(body, viscosity=1.0)
    stiffness = MODULUS * math.pi / 4 * RADIUS ** 4
    world.add_muscle(body, amplitude=[stiffness * CURVATURE] * (ELEMENTS - 1), wavenumber=2 * math.pi * waves / LENGTH, period=PERIOD,
                     ramp_time=PERIOD)
    world.advance(PERIOD)
    before = body.get_totals().centre[2]
    world.advance(PERIOD)
    return (body.get_totals().centre[2] - before) / PERIOD


search = ea.Cmaes(dimension=1, start=[2.0], step=0.5, lower=[0.2], upper=[4.0], evaluation_limit=24)
while search.get().stop == "NONE":
    search.tell([-speed(x[0]) for x in search.ask()])
found = search.get()
print("%d swimmers; the fastest has %.2f waves: %.3f mm/s" % (found.evaluations, found.best_x[0], -1e3 * found.best))
