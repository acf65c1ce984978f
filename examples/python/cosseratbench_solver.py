"""elastica as a solver of cosseratbench, a public comparison of rod codes (github.com/jakeryderv/cosseratbench).

Its entry point, for the pyproject.toml of a package that has this file:

    [project.entry-points."cosseratbench.solvers"]
    elastica = "cosseratbench_solver:Elastica"

Then `cosseratbench run -s elastica` runs its scenes. A scene leaves these choices to the solver:
  - scenes of equilibria without friction and motion are relaxed: every frame after the first shows the equilibrium;
  - other quasi-static scenes take time steps with the force -2 w m v, w the slowest frequency that the scene names;
  - rods in contact have a layer of ten times Young's modulus at rest, of a tenth in motion; obstacles are rigid.
"""

import math

import elastica as ea
import numpy as np

FAST, SLOW, SLIP = 4e5, 4.0, 0.1  # obstacle: stiffness [1/s^2] and damping [1/s] by mass of an element; slip velocity [1/s] by radius


class Elastica:
    """The solver. time_step_scale: of the working step; steps beyond the stability limit are refused and count as divergence."""

    name = "elastica"
    backend_version = ea.version()

    def __init__(self, time_step_scale=1.0):
        self.time_step_scale = time_step_scale

    @property
    def capabilities(self):
        """All physics of the comparison."""
        from cosseratbench.solver import Capability
        return frozenset(Capability)

    def settings(self, scenario, *, n_elements, n_frames):
        """The numerical choices of a run."""
        if self._is_relaxed(scenario):
            return {"method": "relaxation"}
        return {"method": "position Verlet", "time_step_scale": self.time_step_scale, "damping_rate": self._rate(scenario)}

    def run(self, scenario, *, n_elements, n_frames):
        """The frames of a scenario."""
        from cosseratbench.solver import Diverged
        from cosseratbench.trajectory import Trajectory
        world = ea.World()
        rods = [self._add_rod(world, rod, n_elements, self._rate(scenario)) for rod in scenario.rods]
        if any(scenario.gravity):
            world.add_gravity(scenario.gravity)
        for obstacle in getattr(scenario, "obstacles", ()):
            self._add_obstacle(world, obstacle, scenario.rods, rods, n_elements)
        self._add_contact(world, scenario)
        times = np.linspace(0.0, scenario.duration, n_frames)
        frames = [[] for _ in rods], [[] for _ in rods]
        try:
            for k, time in enumerate(times):
                if k > 0 and self._is_relaxed(scenario):
                    if k == 1:
                        world.relax()
                elif k > 0:
                    self._advance(world, time)
                for rod, positions, directors in zip(rods, *frames):
                    positions.append(rod.position.T.copy())
                    directors.append(rod.director[0].T.copy())
        except (ea.UnstableStep, ea.NotFinite, ea.JointTooFar, ea.NotConverged) as error:
            raise Diverged(str(error), world.time) from error
        return Trajectory(times, *(tuple(np.array(rod) for rod in part) for part in frames))

    def _advance(self, world, time):
        if self.time_step_scale == 1.0:
            world.run(until=time)
            return
        steps = math.ceil((time - world.time) / (0.8 * self.time_step_scale * world.step_limit().dt))
        world.step((time - world.time) / steps, steps)

    @staticmethod
    def _friction(scenario):
        parts = list(scenario.rods) + list(getattr(scenario, "obstacles", ()))
        return max(getattr(part, "friction", 0.0) for part in parts)

    def _is_relaxed(self, scenario):
        moves = any(rod.start_motion is not None or rod.end_motion is not None for rod in scenario.rods)
        return scenario.quasi_static and not moves and not self._friction(scenario) and not getattr(scenario, "obstacles", ())

    def _rate(self, scenario):
        return 2.0 * scenario.slowest_frequency() if scenario.quasi_static else 0.0

    @staticmethod
    def _add_rod(world, rod, n, rate):
        material, nodes = rod.material, rod.nodes(n)
        added = world.add_rod(element_count=n, position=nodes, normal=rod.normal, rest_length=[rod.length / n] * n, radius=rod.radius,
                              density=material.density, youngs_modulus=material.youngs_modulus, shear_modulus=material.shear_modulus)
        for index, condition, motion in ((0, rod.start, rod.start_motion), (-1, rod.end, rod.end_motion)):
            if condition.value == "pinned":
                world.add_boundary(added, kind="PIN", node=index)
            elif condition.value == "clamped":
                world.add_boundary(added, node=index, **Elastica._moved(added, index, nodes[index].copy(), motion))
        for load in rod.loads:
            world.add_point_load(added, node=0 if load.at.value == "start" else -1, force=load.force)
        if rate:
            world.add_dissipation(added, translation=rate * material.density * math.pi * rod.radius ** 2)
        return added

    @staticmethod
    def _moved(rod, index, start, motion):
        """The fields of a clamp with a prescribed motion, or with one free axis."""
        if motion is None:
            return {}
        frame = rod.director[:, :, index].copy()

        def move(time):
            displacement, rotation = motion.pose(time)
            velocity, spin = motion.rates(time)
            turned = frame @ np.asarray(rotation).T
            return start + displacement, velocity, turned, turned @ spin

        fields, free = {"motion": move}, getattr(motion, "slides_along", None)
        if free is not None:
            axis = np.abs(np.asarray(free, dtype=float)) / np.linalg.norm(free)
            if axis.max() < 1 - 1e-12:
                raise NotImplementedError("an end that slides along an axis other than x, y or z")
            fields["axes"] = 7 & ~(1 << int(axis.argmax()))
        return fields

    @staticmethod
    def _add_obstacle(world, obstacle, descriptions, rods, n):
        shape = dict(shape="CYLINDER", position=obstacle.center, normal=obstacle.axis, radius=obstacle.radius, length=obstacle.length) \
            if hasattr(obstacle, "axis") else dict(shape="PLANE", position=obstacle.point, normal=obstacle.normal)
        for description, rod in zip(descriptions, rods):
            mass = description.material.density * math.pi * description.radius ** 2 * description.length / n
            friction = max(obstacle.friction, getattr(description, "friction", 0.0))
            world.add_obstacle(rod, stiffness=FAST * mass, damping=SLOW * mass, slip_velocity=SLIP * description.radius,
                               friction_limit="ELLIPTIC", static_friction=[friction] * 3, kinetic_friction=[friction] * 3, **shape)

    def _add_contact(self, world, scenario):
        own = getattr(scenario, "self_contact", False)
        if not own and len(scenario.rods) == 1:
            return
        friction = max(getattr(rod, "friction", 0.0) for rod in scenario.rods)
        modulus = max(rod.material.youngs_modulus for rod in scenario.rods)
        relaxed = self._is_relaxed(scenario)
        world.add_contact(None, modulus=modulus * (10.0 if relaxed else 0.1), friction=friction, self=int(own), damping=0.0 if relaxed else 1.0)
