"""Tests of cosseratbench_solver.py with stand-ins for the classes of cosseratbench: the rows of the program referee come out again.

    python3 test_cosseratbench.py [path of the program referee]
"""

import csv
import dataclasses
import enum
import math
import os
import subprocess
import sys
import tempfile
import types
import unittest

import numpy as np

Condition = enum.Enum("Condition", {"FREE": "free", "PINNED": "pinned", "CLAMPED": "clamped"})
End = enum.Enum("End", {"START": "start", "END": "end"})


class Diverged(FloatingPointError):
    def __init__(self, message, time=None):
        super().__init__(message)
        self.time = time


@dataclasses.dataclass
class Trajectory:
    times: object
    positions: tuple
    directors: tuple


def stand_in(name, **members):
    module = types.ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module


stand_in("cosseratbench")
stand_in("cosseratbench.solver", Diverged=Diverged, Capability=enum.Enum("Capability", ["STRETCH", "SHEAR", "ROD_CONTACT", "ROD_FRICTION",
                                                                                       "CYLINDER_CONTACT", "PLANE_CONTACT"]))
stand_in("cosseratbench.trajectory", Trajectory=Trajectory)

import cosseratbench_solver  # noqa: E402 (needs the stand-ins)


class Rod(types.SimpleNamespace):
    """A rod of the comparison; line: its points, evenly spaced at rest."""

    def __init__(self, line, length, radius, modulus, **more):
        fields = dict(start=Condition.FREE, end=Condition.FREE, loads=(), start_motion=None, end_motion=None, friction=0.0,
                      normal=(0.0, 1.0, 0.0))
        fields.update(more)
        super().__init__(line=np.asarray(line, dtype=float), length=length, radius=radius,
                         material=types.SimpleNamespace(youngs_modulus=modulus, shear_modulus=modulus / 3, density=1000.0), **fields)

    def nodes(self, n):
        at = np.linspace(0, len(self.line) - 1, n + 1)
        return np.stack([np.interp(at, np.arange(len(self.line)), self.line[:, axis]) for axis in range(3)], axis=1)


class Scenario(types.SimpleNamespace):
    def __init__(self, rods, duration, gravity=(0.0, 0.0, 0.0), obstacles=(), quasi_static=True, self_contact=False):
        super().__init__(rods=rods, duration=duration, gravity=gravity, obstacles=obstacles, quasi_static=quasi_static,
                         self_contact=self_contact)

    def slowest_frequency(self):
        g = np.linalg.norm(self.gravity)
        return min(max(3.516 * math.sqrt(rod.material.youngs_modulus * rod.radius ** 2 / (4 * rod.material.density)) / rod.length ** 2,
                       math.sqrt(g / rod.length)) for rod in self.rods)


GRAVITY = (0.0, 0.0, -9.81)


def arc(n, length, span):
    """Points on a hanging arc of a circle."""
    low, high = 1e-6, math.pi
    for _ in range(100):
        half = (low + high) / 2
        low, high = (half, high) if math.sin(half) / half > span / length else (low, half)
    angles, radius = low * (2 * np.arange(n + 1) / n - 1), length / (2 * low)
    return np.stack([span / 2 + radius * np.sin(angles), 0 * angles, radius * (math.cos(low) - np.cos(angles))], axis=1)


def catenary_sag(length, span, radius, modulus):
    """[m] of the rope that stretches and does not bend."""
    area = math.pi * radius ** 2
    weight, stretch = 1000 * area * 9.81, modulus * area
    low, high = 1e-6 * weight * length, 1e3 * weight * length
    for _ in range(200):
        pull = math.sqrt(low * high)
        width = pull * length / stretch + 2 * pull / weight * math.asinh(weight * length / (2 * pull))
        low, high = (pull, high) if width < span else (low, pull)
    half = weight * length / 2
    return half * length / (4 * stretch) + (math.hypot(pull, half) - pull) / weight


class Scenes(unittest.TestCase):
    def run_scene(self, scenario, n, frames=3, **options):
        solver = cosseratbench_solver.Elastica(**options)
        self.assertIsInstance(solver.settings(scenario, n_elements=n, n_frames=frames)["method"], str)
        found = solver.run(scenario, n_elements=n, n_frames=frames)
        for rod, directors in zip(found.positions, found.directors):
            self.assertEqual(rod.shape, (frames, n + 1, 3))
            self.assertEqual(directors.shape, (frames, n, 3))
            np.testing.assert_allclose(np.linalg.norm(directors, axis=2), 1)
        self.assertEqual((found.times[0], found.times[-1]), (0, scenario.duration))
        return found

    def test_cantilever_and_catenary_equal_the_program_referee(self):
        rows = referee_rows()
        exact = 7.5e-3 / (3 * 1e6 * math.pi * 0.02 ** 4 / 4)
        for k, n in enumerate((10, 20, 40)):
            load = types.SimpleNamespace(force=(0.0, 0.0, -7.5e-3), at=End.END)
            beam = Rod([[0, 0, 0], [1, 0, 0]], 1.0, 0.02, 1e6, start=Condition.CLAMPED, loads=(load,))
            found = self.run_scene(Scenario((beam,), 10.0), n)
            error = abs(found.positions[0][-1, -1, 2] + exact) / exact
            self.assertLess(error, 0.08)
            if rows:
                self.assertAlmostEqual(error, rows[k], delta=1e-9)
        for k, (n, span, modulus) in enumerate(((25, 0.8, 1e6), (50, 0.8, 1e6), (100, 0.8, 1e6), (50, 0.6, 1e6), (50, 0.95, 1e6),
                                                (50, 0.8, 1e5), (50, 0.8, 1e7))):
            rope = Rod(arc(n, 1.0, span), 1.0, 0.005, modulus, start=Condition.PINNED, end=Condition.PINNED)
            found = self.run_scene(Scenario((rope,), 5.0, GRAVITY), n)
            error = abs(-found.positions[0][-1, :, 2].min() / catenary_sag(1.0, span, 0.005, modulus) - 1)
            self.assertLess(error, 2e-2)
            if rows:
                self.assertAlmostEqual(error, rows[3 + 2 * k + 1], delta=1e-7)

    def test_a_moved_end_keeps_to_its_motion(self):
        angle = 0.5

        class Motion(types.SimpleNamespace):
            def pose(self, time):
                c, s = math.cos(angle * time), math.sin(angle * time)
                return np.array([0, 0, 0.1 * time]), np.array([[1, 0, 0], [0, c, -s], [0, s, c]])

            def rates(self, time):
                return np.array([0, 0, 0.1]), np.array([angle, 0, 0])

        rod = Rod([[0, 0, 0], [1, 0, 0]], 1.0, 0.02, 1e6, start=Condition.CLAMPED, end=Condition.CLAMPED, start_motion=Motion(),
                  end_motion=Motion(slides_along=(1.0, 0.0, 0.0)))
        found = self.run_scene(Scenario((rod,), 0.5, quasi_static=False), 20)
        np.testing.assert_allclose(found.positions[0][-1, [0, -1], 2], 0.05, atol=1e-9)
        np.testing.assert_allclose(found.directors[0][-1, 0], [0, math.cos(0.25), math.sin(0.25)], atol=2e-2)

    def test_a_drum_holds_a_rope_below_the_limit(self):
        drum = types.SimpleNamespace(center=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0), radius=0.05, length=0.1, friction=0.3)
        light, heavy, around = 0.15, 0.2, 0.051
        length = light + math.pi * around + heavy
        at = np.linspace(0, length, 2001)
        turn = (at - light) / around
        line = np.stack([np.where(at < light, -around, np.where(turn < math.pi, -around * np.cos(turn), around)), 0 * at,
                         np.where(at < light, at - light, np.where(turn < math.pi, around * np.sin(turn), light + math.pi * around - at))],
                        axis=1)
        rope = Rod(line, length, 1e-3, 3e5, friction=0.3)
        found = self.run_scene(Scenario((rope,), 1.0, GRAVITY, (drum,)), 100, 5)
        self.assertLess(np.abs(found.positions[0][:, 0, 2] - found.positions[0][0, 0, 2]).max(), 5e-3)

    def test_ropes_cross(self):
        lower = Rod(arc(21, 1.0, 0.8) - [0.4, 0, 0], 1.0, 0.005, 1e6, start=Condition.PINNED, end=Condition.PINNED)
        upper = Rod((arc(21, 1.0, 0.8) - [0.4, 0, 0])[:, [1, 0, 2]] * [1, 1, 0.5] - [0, 0, 0.1], 1.0, 0.005, 1e6, start=Condition.PINNED,
                    end=Condition.PINNED, normal=(1.0, 0.0, 0.0))
        found = self.run_scene(Scenario((lower, upper), 2.0, GRAVITY), 21)
        dense = [np.stack([np.interp(np.linspace(0, 21, 4201), np.arange(22), rod[-1, :, axis]) for axis in range(3)], axis=1)
                 for rod in found.positions]
        nearest = min(np.linalg.norm(dense[1] - point, axis=1).min() for point in dense[0][1800:2400])
        self.assertAlmostEqual(nearest, 0.01, delta=1e-4)  # without friction they also slide along each other

    def test_steps_beyond_the_limit_are_a_divergence(self):
        rod = Rod([[0, 0, 0], [0, 0, -1]], 1.0, 0.002, 1e7, start=Condition.PINNED)
        with self.assertRaisesRegex(Diverged, "stab|limit"):
            self.run_scene(Scenario((rod,), 0.1, GRAVITY, quasi_static=False), 20, time_step_scale=4.0)


def referee_rows():
    """The errors that the program referee writes, in its order; none without the program."""
    if not PROGRAM:
        return []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, "--quick", "--out", folder], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, "table.csv"), encoding="utf-8") as table:
            return [float(row[1]) for row in list(csv.reader(table))[1:]]


PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 and os.path.exists(sys.argv[1]) else None

if __name__ == "__main__":
    unittest.main()
