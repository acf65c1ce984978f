"""A sweep on all cores: the tip of a cantilever for many moduli, one world and one process for each."""

import multiprocessing

import elastica as ea


def sag(modulus):
    """[m] The sag of a cantilever of 1 m under its own weight."""
    world = ea.World()
    rod = world.add_rod(element_count=100, direction=(1, 0, 0), length=1.0, radius=0.01, density=1000.0, youngs_modulus=modulus)
    world.add_boundary(rod)
    world.add_gravity((0, 0, -9.81))
    world.relax()
    return -rod.position[2, -1]


if __name__ == "__main__":
    moduli = [10 ** (6 + k / 4) for k in range(17)]
    with multiprocessing.Pool() as pool:
        for modulus, value in zip(moduli, pool.map(sag, moduli)):
            print("%10.3e Pa  %.5f m" % (modulus, value))
