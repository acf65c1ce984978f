"""Tests of the library in Python: every function is reachable, results are those of C, mistakes are exceptions, memory is safe."""

import copy
import gc
import os
import tempfile
import unittest

import numpy as np

import elastica as ea


def beam(**options):
    """A clamped rubber beam under its weight."""
    world = ea.World(**options)
    rod = world.add_rod(element_count=20, direction=(1, 0, 0), length=1.0, radius=0.02, density=1000.0, youngs_modulus=1e7)
    world.add_boundary(rod)
    world.add_gravity((0, 0, -9.81))
    return world, rod


class Interface(unittest.TestCase):
    def test_every_function_has_its_place(self):
        special = {"elastica_version", "elastica_status_text", "elastica_world_refuse", "elastica_rod_get_view"}
        names = [name for name in dir(ea.lib) if name.startswith("elastica_") and callable(getattr(ea.lib, name))]
        self.assertGreater(len(names), 100)
        for name in names:
            owner = ea.ffi.typeof(getattr(ea.lib, name)).args
            if name in special or name.endswith(("_init", "_destroy", "_close", "_create")) or owner[0].item.cname == "elastica_rod_view":
                continue
            kind = ea._handles[owner[0].item.cname]
            method = name.replace("elastica_", "").replace(kind.__name__.lower() + "_", "", 1)
            self.assertTrue(hasattr(kind, method) or method == "message", name)

    def test_lanes_have_the_counts_of_the_header(self):
        world, rod = beam()
        world.evaluate(0.0)
        for name in ea._lanes["elastica_rod_view"]:
            self.assertIn(getattr(rod, name).shape[-1], (19, 20, 21), name)
        self.assertEqual(rod.director.shape, (3, 3, 20))
        self.assertEqual(rod.total_force.shape, (3, 21))

    def test_a_mistake_is_a_sentence(self):
        world, rod = beam()
        with self.assertRaisesRegex(ea.InvalidArgument, "length is negative") as caught:
            world.add_rod(element_count=3, length=-1.0, radius=1.0, density=1.0, youngs_modulus=1.0)
        self.assertEqual(caught.exception.status, "INVALID_ARGUMENT")
        self.assertIsInstance(caught.exception, ValueError)
        with self.assertRaisesRegex(TypeError, "no field 'modulus'"):
            world.add_rod(modulus=1.0)
        with self.assertRaisesRegex(ValueError, "has 5 numbers; it needs 63"):
            rod.set_state(position=[1, 2, 3, 4, 5])
        with self.assertRaisesRegex(ValueError, "has 2 numbers; it needs 3"):
            world.add_gravity((0, 1))
        with self.assertRaisesRegex(ValueError, "none of"):
            world.add_boundary(rod, kind="GLUE")
        with self.assertRaises(TypeError):
            world.add_gravity()
        with self.assertRaises(TypeError):
            world.add_muscle(world)
        with self.assertRaisesRegex(ValueError, "amplitude has 20 numbers; it needs 19"):
            world.add_muscle(rod, amplitude=[0.0] * 20, period=1.0)
        with self.assertRaises(ea.UnstableStep):
            world.step(1.0, 1)
        rod.remove()
        with self.assertRaises(ea.InvalidArgument):
            rod.position


class Running(unittest.TestCase):
    def test_a_step_has_the_bits_of_every_other_world(self):
        first, second = beam(), beam(worker_count=2, tile_size=8)
        for world, _ in (first, second):
            world.advance(0.2)
        self.assertTrue(np.array_equal(first[1].position, second[1].position))
        self.assertEqual(first[0].snapshot_save(), second[0].snapshot_save())

    def test_lanes_show_the_present_state_without_a_copy(self):
        world, rod = beam()
        position = rod.position
        world.advance(0.1)
        self.assertLess(position[2, -1], -1e-3)
        self.assertTrue(np.shares_memory(position, rod.position))
        with self.assertRaises(ValueError):
            position[0, 0] = 1.0

    def test_old_arrays_are_safe(self):
        world, rod = beam()
        position = rod.position
        for _ in range(50):
            world.add_rod(element_count=200, length=1.0, radius=0.01, density=1000.0, youngs_modulus=1e6)
        self.assertTrue(np.isfinite(position).all())
        self.assertFalse(np.shares_memory(position, rod.position))
        del world, rod
        gc.collect()
        self.assertEqual(position[0, -1], 1.0)

    def test_state_in_lanes_or_flat(self):
        world, rod = beam()
        velocity = np.zeros((3, 21))
        velocity[1] = np.arange(21)
        rod.set_state(velocity=velocity)
        self.assertTrue(np.array_equal(rod.velocity[1], np.arange(21)))
        rod.set_state(velocity=np.zeros(63), director=rod.director)
        self.assertEqual(rod.velocity.max(), 0)
        copy_of = world.add_rod(element_count=20, position=rod.position, director=rod.director, radius=0.02, density=1.0, youngs_modulus=1e6)
        self.assertTrue(np.array_equal(copy_of.position, rod.position))
        with self.assertRaisesRegex(ValueError, "order is not clear"):
            world.add_rod(element_count=2, position=np.eye(3), radius=0.02, density=1.0, youngs_modulus=1e6)

    def test_what_is_closed_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            world, rod = beam()
            table = world.csv_open(os.path.join(folder, "a.csv"), "t")
            budget = world.budget_open()
            table.close()
            budget.close()
            with self.assertRaisesRegex(ea.WrongState, "closed"):
                table.row([1.0])
            with self.assertRaisesRegex(ea.WrongState, "closed"):
                budget.get()

    def test_sampler_and_stop(self):
        world, rod = beam()
        times = []

        def sample(at):
            times.append(at.time)
            return "STOPPED" if len(times) == 3 else None

        world.set_sampler(sample=sample, interval=0.01, exact=1)
        self.assertFalse(world.advance(1.0))
        np.testing.assert_allclose(times, [0, 0.01, 0.02])

    def test_a_snapshot_returns(self):
        world, rod = beam()
        world.advance(0.05)
        data = world.snapshot_save()
        before = rod.position.copy()
        world.advance(0.05)
        world.snapshot_load(data)
        self.assertTrue(np.array_equal(before, rod.position))
        with self.assertRaises(ea.Error):
            world.snapshot_load(data[:100])

    def test_statics_modes_and_paths(self):
        world, rod = beam()
        result = world.relax()
        self.assertEqual(result.stable, 1)
        modes = world.modes_find(count=2)
        self.assertEqual(len(modes), 2)
        shape = modes.get_shape(0, rod)
        self.assertEqual((shape.displacement.shape, shape.turn.shape), ((3, 21), (3, 20)))
        self.assertGreater(np.abs(shape.displacement).max(), 0.0)
        load = world.add_point_load(rod, force=(0, 0, 0))
        path = world.path_create(apply=lambda at, parameter: load.point_load_set(force=(0, 0, -parameter)), first_step=0.1, upper=0.5)
        kinds = []
        while not kinds or kinds[-1] != "END":
            kinds.append(path.next().kind)
        self.assertGreater(len(kinds), 2)
        self.assertLess(rod.position[2, -1], -0.7)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            world, rod = beam()
            name = os.path.join(folder, "beam.html")
            with world.view_open(name, title="a beam") as page, world.csv_open(os.path.join(folder, "beam.csv"), "t,z") as table:
                for _ in range(3):
                    world.advance(0.01)
                    page.frame()
                    table.row([world.time, rod.position[2, -1]])
            self.assertGreater(os.path.getsize(name), 10000)
            self.assertEqual(np.loadtxt(os.path.join(folder, "beam.csv"), delimiter=",", skiprows=1).shape, (3, 2))
            with self.assertRaises(ea.IoError):
                world.csv_open(os.path.join(folder, "none", "beam.csv"), "t")


class Functions(unittest.TestCase):
    def test_functions_return_their_outputs(self):
        world, rod = beam()
        world.add_point_load(rod, function=lambda time: ((0.0, 0.0, 2.0 * time), None))
        world.add_boundary(rod, kind="PIN", node=10, motion=lambda time: ((0.5, 0.1 * time, 0.0), (0.0, 0.1, 0.0), None, None))
        world.advance(0.05)
        self.assertAlmostEqual(rod.position[1, 10], 0.005, places=12)

    def test_hooks_are_an_effect_of_the_user(self):
        world, rod = beam()

        def add_loads(now, rod, loads):
            loads.force[2] += 9.81 * rod.mass  # against gravity

        def energy(time, rod):
            return -9.81 * float((rod.mass * rod.position[2]).sum())

        effect = world.add_module(rod, name="lift", add_loads=add_loads, energy=energy, stateless=1)
        world.advance(0.05)
        self.assertLess(abs(rod.position[2]).max(), 1e-12)
        self.assertAlmostEqual(effect.energy(), 0.0, places=9)

    def test_an_exception_leaves_through_the_library(self):
        world, rod = beam()

        class Mistake(Exception):
            pass

        def add_loads(now, rod, loads):
            raise Mistake("here")

        world.add_module(rod, name="broken", add_loads=add_loads)
        with self.assertRaisesRegex(ea.CallbackFailed, "broken") as caught:
            world.advance(0.05)
        self.assertIsInstance(caught.exception.__cause__, Mistake)
        with self.assertRaises(ea.WrongState) as caught:
            world.advance(0.05)
        self.assertIsNone(caught.exception.__cause__)

    def test_hooks_without_a_status(self):
        world, rod = beam()
        seen = []
        world.add_module(rod, name="seen", stateless=1, observe=lambda now, rod: seen.append(rod), destroy=lambda: seen.append(None))
        world.step(1e-5, 2)
        with self.assertRaisesRegex(RuntimeError, "argument of a hook"):
            seen[0].position
        world.effects[-1].remove()
        self.assertIsNone(seen[-1])

        def mistake(now, rod):
            raise KeyError("idle")

        world.add_module(rod, name="idle", stateless=1, is_idle=mistake, add_loads=lambda now, rod, loads: None)
        with self.assertRaises(ea.CallbackFailed) as caught:
            world.step(1e-5, 1)
        self.assertIsInstance(caught.exception.__cause__, KeyError)

    def test_names_of_modules_live_as_long_as_the_world(self):
        world, rod = beam()
        effect = world.add_module(rod, name="a long name of a module", stateless=1, observe=lambda now, rod: None)
        for k in range(500):
            world.rod(0)
            ea.ffi.new("char[]", b"Z" * 24)
        self.assertEqual(effect.get().name, "a long name of a module")

    def test_cycles_are_collected(self):
        class Experiment:
            def __init__(self):
                self.world, self.rod = beam()
                self.load = self.world.add_point_load(self.rod, force=(0, 0, 0))
                self.world.relax()
                self.modes = self.world.modes_find(count=1)
                self.path = self.world.path_create(apply=self.apply, first_step=0.1)

            def apply(self, world, parameter):
                self.load.point_load_set(force=(0, 0, -parameter))

        for _ in range(3):
            experiment = Experiment()
            experiment.path.next()
            del experiment
            gc.collect()

    def test_handles_and_fields_keep_their_types(self):
        world, rod = beam()
        for wrong in ({"element_count": 10.7}, {"closed": "no"}):
            with self.assertRaises(TypeError):
                world.add_rod(length=1.0, radius=0.1, density=1.0, youngs_modulus=1.0, **wrong)
        with self.assertRaises(AttributeError):
            rod.velocity = 5
        with self.assertRaisesRegex(TypeError, "needs a dict"):
            world.add_joint(first=rod)
        with self.assertRaisesRegex(TypeError, "needs a Rod"):
            world.add_joint(first={"rod": "a"})
        with self.assertRaises(TypeError):
            copy.copy(rod)
        with self.assertRaisesRegex(TypeError, "share needs a rod"):
            world.add_contraction(None, maximum_force=1.0, share=[1.0])
        for triangles in ([[0.9, 1.9, 2.9]], np.array([[2 ** 32, 2 ** 32 + 1, 2 ** 32 + 2]])):
            with self.assertRaisesRegex(TypeError, "triangles needs integers"):
                world.add_obstacle(None, kind="ELASTIC", shape="MESH", points=np.eye(3), triangles=triangles)
        with self.assertRaisesRegex(ValueError, "zero byte"):
            world.snapshot_save_file("a\0b")
        self.assertIs(rod.world, world)
        ball = world.add_body(radius=0.1, mass=1.0, position=(0, 0, 5))
        self.assertEqual(ball.body_get().shape, "SPHERE")
        self.assertAlmostEqual(ea.rod_radius(rod, -1), 0.02)
        np.testing.assert_allclose(ea.rotate_to_laboratory(rod, 3, ea.rotate_to_material(rod, 3, (1, 2, 3))), (1, 2, 3))
        world.set_sampler(sample=lambda world: "STOPPED", interval=1e-3)
        world.set_sampler()
        self.assertTrue(world.advance(0.01))

    def test_a_search_continues_from_bytes(self):
        def search():
            return ea.Cmaes(dimension=2, start=[3.0, 1.0], step=1.0, target=1e-10)

        first = search()
        for _ in range(5):
            first.tell([float((x ** 2).sum()) for x in first.ask()])
        second = search()
        second.load(first.save())
        self.assertTrue(np.array_equal(first.ask(), second.ask()))
        while first.get().stop == "NONE":
            first.tell([float((x ** 2).sum()) for x in first.ask()])
        self.assertLess(first.get().best, 1e-10)
        with self.assertRaises(ValueError):
            ea.Cmaes(dimension=2, step=1.0, start=[1.0])


if __name__ == "__main__":
    unittest.main()
