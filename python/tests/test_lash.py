# SPDX-License-Identifier: MIT
"""The Python package: models, runs, stepping, results, studies, errors, threads, memory."""
import ctypes
import importlib.util
import math
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import lash

EXAMPLES = os.environ.get("EXAMPLES", os.path.join(os.path.dirname(__file__), "..", "..", "examples"))
FLORES = os.path.join(EXAMPLES, "flores-2010.yaml")

BLOCK = {
    "gravity": [0, 0],
    "bodies": {"block": {"mass": 2, "inertia": 1, "position": [1, 0]}},
    "forces": {"pull": {"type": "force", "at": "block", "force": [0, 0]}},
    "run": {"until": 2, "samples": 20, "rtol": 1e-10},
}


class Models(unittest.TestCase):
    def test_parameters(self):
        m = lash.load(FLORES, play="0.2 mm", gudgeon="clearance")
        p = m.parameters
        self.assertEqual(p["play"].value, 0.2e-3)
        self.assertEqual(p["play"].unit, "m")
        self.assertEqual(p["play"].usual, "0.05 mm")
        self.assertIn("ideal", p["gudgeon"].choices)
        self.assertEqual(p["play"].range, (1e-5, 5e-4))
        self.assertIsNone(p["speed"].range)
        self.assertIsNone(p["gudgeon"].value)
        self.assertEqual(m.set(play=1e-4).parameters["play"].value, 1e-4)
        self.assertEqual(m.parameters["play"].value, 0.2e-3)  # the first model is unchanged
        self.assertEqual(m.set(play=np.float64(1e-4)).parameters["play"].value, 1e-4)

    def test_pickle(self):
        m = lash.load(FLORES, play="0.2 mm")
        n = pickle.loads(pickle.dumps(m))
        a, b = m.run(until=1e-3), n.run(until=1e-3)
        np.testing.assert_array_equal(a["slider.x"], b["slider.x"])

    def test_mistakes(self):
        with self.assertRaises(lash.ModelError) as caught:
            lash.load(FLORES, plai=1)
        self.assertIn("did you mean 'play'", str(caught.exception))
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write("bodies:\n  a: {mass: 1, inertia: 1}\n  b: {mass: -1, inertia: 1, colour: red}\n")
            file.flush()
            with self.assertRaises(lash.ModelError) as caught:
                lash.load(file.name)
            self.assertEqual(caught.exception.line, 3)
            self.assertEqual(caught.exception.file, file.name)
            self.assertGreater(caught.exception.column, 1)
            self.assertEqual(len(caught.exception.mistakes), 2)
        with self.assertRaises(lash.FileError):
            lash.load("no-such-file.yaml")
        self.assertTrue(issubclass(lash.ModelError, ValueError) and issubclass(lash.FileError, OSError))

    def test_check(self):
        about = lash.load(FLORES).check()
        self.assertEqual(about["bodies"], 3)
        self.assertEqual(about["freedoms"], 2)
        self.assertTrue(0 < about["clearances"]["gudgeon"]["restitution"] < 1)


class Runs(unittest.TestCase):
    def test_result(self):
        r = lash.load(FLORES, play="0.2 mm").run(until="1 rev of motor", samples=100)
        self.assertEqual(len(r.time), 101)
        self.assertEqual(r["slider.vx"].unit, "m/s")
        self.assertEqual(r["slider.vx"].name, "slider.vx")
        self.assertEqual((r["slider.vx"] * 2).unit, "m/s")
        self.assertEqual(r.status, "STOP_END")
        self.assertEqual(len(r.events), r.summary["events"])
        self.assertIn("onset", r.events["kind"])
        self.assertEqual(list(r)[0], "time")
        self.assertIn("slider", repr(r) + str(list(r)))
        with self.assertRaises(KeyError):
            r["slider.vz"]
        with self.assertRaises(lash.UsageError):
            r.rows("steps")

    def test_channels(self):
        r = lash.load(FLORES).run(until=1e-3, channels=["slider.*", "motor.torque"])
        self.assertIn("slider.ax", r)
        self.assertNotIn("rod.x", r)
        with self.assertRaises(lash.UsageError):
            lash.load(FLORES).run(until=1e-3, channels=["slidr.x"])

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.h5")
            r = lash.load(FLORES).run(until=2e-3, output=path)
            f = lash.open(path)
            np.testing.assert_array_equal(r["slider.x"], f["slider.x"])
            self.assertEqual(r.summary["steps"], f.summary["steps"])
            self.assertEqual(len(r.events), len(f.events))
            self.assertEqual(f.about["title"], r.title)
            if f.events.size:
                self.assertEqual(f.events["time"][0], r.events["time"][0])
        with self.assertRaises(lash.FileError):
            lash.open("no-such-file.h5")

    @unittest.skipUnless(os.environ.get("LASH"), "needs the program")
    def test_figures(self):
        r = lash.load(FLORES, play="0.2 mm").run(until="1 rev of motor")
        self.assertTrue(r.plot("orbit")._repr_svg_().lstrip().startswith("<?xml"))
        with self.assertRaises(lash.UsageError):
            r.plot("no-such-figure")

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "needs matplotlib")
    def test_matplotlib(self):
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib.figure import Figure
        r = lash.load(FLORES, play="0.2 mm").run(until="1 rev of motor", samples=100)
        ax = r.plot("slider.vx", ax=Figure().subplots())
        np.testing.assert_array_equal(ax.lines[0].get_xydata(), np.column_stack([r.time, r["slider.vx"]]))
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("time, s", "slider.vx, m/s"))
        ax = r.plot("history", ax=Figure().subplots(), channels="slider.vx,slider.ax")
        self.assertEqual(len(ax.lines), 2)
        ax = r.plot("orbit", ax=Figure().subplots(), joint="gudgeon")
        np.testing.assert_array_equal(ax.lines[0].get_ydata(), r["gudgeon.ey"])
        ax = r.plot("phase", ax=Figure().subplots(), channels="slider.x,slider.vx")
        np.testing.assert_array_equal(ax.lines[0].get_xdata(), r["slider.x"])
        for what, options in (("poincare", {}), ("slider.vz", {}), ("orbit", {"joint": "none"}), ("phase", {})):
            with self.assertRaises(lash.UsageError):
                r.plot(what, ax=Figure().subplots(), **options)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "needs pandas")
    def test_pandas(self):
        r = lash.load(FLORES).run(until=1e-3, samples=10, channels=["slider.*"])
        frame = r.frame()
        self.assertEqual(frame.index.name, "time")
        np.testing.assert_array_equal(frame["slider.vx"], r["slider.vx"])
        table = lash.sweep(lash.load(FLORES), ["max slider.ax"], play=[1e-4, 2e-4], run={"until": "1 ms"})
        self.assertEqual(list(table.frame()["play"]), [1e-4, 2e-4])

    @unittest.skipUnless(importlib.util.find_spec("h5py"), "needs h5py")
    def test_h5py(self):
        with tempfile.TemporaryDirectory() as folder:
            r = lash.load(FLORES).run(until=1e-3, samples=10, output=os.path.join(folder, "x.h5"))
            with r.h5() as file:
                self.assertIn("samples", file)
            with lash.open(os.path.join(folder, "x.h5")).h5() as file:
                self.assertIn("samples", file)
        with self.assertRaises(lash.UsageError):
            lash.load(FLORES).run(until=1e-3).h5()

    def test_failure_keeps_rows(self):
        with self.assertRaises(lash.RunError) as caught:
            lash.load(FLORES).run(until="1 rev of motor", max_steps=50)
        self.assertEqual(caught.exception.status, "ERROR_LIMIT")
        self.assertGreater(caught.exception.time, 0)
        self.assertGreater(len(caught.exception.result.time), 10)

    def test_interrupt(self):
        calls = []

        def progress(time, end):
            calls.append(time)
            signal.raise_signal(signal.SIGINT)

        with self.assertRaises(lash.Interrupted) as caught:
            lash.load(FLORES, play="0.2 mm").run(until="2000 rev of motor", samples=1000, progress=progress)
        self.assertEqual(len(calls), 1)
        self.assertEqual(caught.exception.result.status, "STOP_INTERRUPTED")

    def test_progress_stops(self):
        r = lash.load(FLORES, play="0.2 mm").run(until="2000 rev of motor", samples=1000,
                                                 progress=lambda time, end: False)
        self.assertEqual(r.status, "STOP_INTERRUPTED")
        with self.assertRaises(ZeroDivisionError):
            lash.load(FLORES, play="0.2 mm").run(until="2000 rev of motor", samples=1000,
                                                 progress=lambda time, end: 1 / 0)


class Stepping(unittest.TestCase):
    def test_steps(self):
        sim = lash.load(FLORES, play="0.2 mm").sim()
        kinds = set()
        while sim.step(5e-4):
            kinds.update(sim.events["kind"])
        self.assertEqual(sim.time, 5e-4)
        self.assertIn("onset", kinds)
        self.assertTrue(math.isfinite(sim["gudgeon.fn"]))
        self.assertEqual(sim.unit("gudgeon.fn"), "N")
        with self.assertRaises(KeyError):
            sim["gudgeon.nothing"]

    def test_inputs(self):
        sim = lash.load(BLOCK).sim()
        self.assertEqual(list(sim.inputs), ["pull.fx", "pull.fy"])
        sim.set_input("pull.fx", 3.0)
        sim.run(1.0)
        self.assertAlmostEqual(sim["block.x"], 1 + 0.75, places=12)
        self.assertEqual(sim.inputs["pull.fx"], 3.0)
        with self.assertRaises(KeyError):
            sim.set_input("pull.fz", 1)
        with self.assertRaises(lash.UsageError):
            sim.set_input("pull.fx", math.nan)

    def test_start(self):
        m = lash.load(dict(BLOCK, forces={"pull": {"type": "force", "at": "block", "force": ["sin(t)", 0]}}))
        sim = m.sim(begin=1.5, until=3.5)
        self.assertEqual(sim.time, 1.5)
        sim.run()
        self.assertEqual(sim.time, 3.5)
        self.assertAlmostEqual(sim["block.vx"], (math.cos(1.5) - math.cos(3.5)) / 2, places=10)
        r = m.run(begin=-1, until=1, samples=4)
        np.testing.assert_allclose(r.time, [-1, -0.5, 0, 0.5, 1], atol=1e-15)
        with self.assertRaises(lash.ModelError):
            m.run(begin=2, until=1)

    def test_force(self):
        sim = lash.load(BLOCK).sim()
        sim.force("pull", lambda t, at: (-18 * at.position[0], 0))
        sim.run(2.0)
        self.assertAlmostEqual(sim["block.x"], math.cos(6.0), places=8)
        sim.force("pull", None)
        with self.assertRaises(ZeroDivisionError):
            sim.force("pull", lambda t, at: 1 / 0 if t > 2.5 else 0)
            sim.run(3.0)
        with self.assertRaises(lash.UsageError):
            sim.force("push", lambda t, at: 0)

    def test_save(self):
        m = lash.load(FLORES, play="0.2 mm")
        a, b = m.sim(), m.sim()
        a.run(1e-3)
        b.restore(bytes(a.save()))
        a.run(2e-3), b.run(2e-3)
        self.assertEqual(a["slider.x"], b["slider.x"])
        with self.assertRaises(lash.UsageError):
            a.restore(b"nonsense")

    def test_after(self):
        m = lash.load(FLORES, play="0.2 mm")
        whole = m.run(until=2e-3, channels=["slider.x"])
        first = m.run(until=1e-3, channels=["slider.x"])
        for after in (first, first.state, bytes(first.state)):
            rest = m.run(until=2e-3, channels=["slider.x"], after=after)
            self.assertEqual(rest.time[0], 1e-3)
            self.assertAlmostEqual(rest["slider.x"][-1], whole["slider.x"][-1], places=9)
        sim = m.sim()
        sim.run(1e-3)
        sim.run(2e-3)
        self.assertEqual(rest["slider.x"][-1], sim["slider.x"])  # bit for bit
        with self.assertRaisesRegex(lash.UsageError, "goes on from t = 0.001 s"):
            m.run(until=1e-3, after=first)
        with self.assertRaises(lash.UsageError):
            lash.load(BLOCK).run(until=1, after=first)
        if "LASH" in os.environ:
            path = os.path.join(tempfile.mkdtemp(), "first.h5")
            subprocess.run([os.environ["LASH"], "run", FLORES, "--set", "play=0.2 mm", "--until", "1 ms", "-q", "-o",
                            path], check=True)
            self.assertEqual(m.run(until=2e-3, channels=["slider.x"], after=path)["slider.x"][-1], sim["slider.x"])
        path = os.path.join(tempfile.mkdtemp(), "own.h5")
        m.run(until=1e-3, output=path)
        self.assertEqual(m.run(until=2e-3, channels=["slider.x"], after=path)["slider.x"][-1], sim["slider.x"])
        with self.assertRaisesRegex(lash.UsageError, "give its path"):
            m.run(until=2e-3, after=lash.open(path))

    def test_equations(self):
        sim = lash.load(BLOCK).sim()
        y = sim.coordinates
        y[3] = 0.5
        np.testing.assert_allclose(sim.rates(0, y), [0.5, 0, 0, 0, 0, 0], atol=1e-15)
        J = sim.jacobian(0, y)
        self.assertAlmostEqual(J[0, 3], 1, places=10)
        sim.coordinates = y
        self.assertEqual(sim["block.vx"], 0.5)
        with self.assertRaises(lash.UsageError):
            sim.rates(0, y[:3])

    def test_linear(self):
        l = 1.5
        m = lash.load({
            "gravity": [0, -9.81], "ground": {"points": {"o": [0, 0]}},
            "bodies": {"bob": {"mass": 2, "inertia": 1e-9, "position": [0, -l], "points": {"top": [0, l]}}},
            "joints": {"pin": {"type": "revolute", "between": ["ground.o", "bob.top"]}}, "run": {"until": 1}})
        linear = m.linearize(["bob.angle"])
        self.assertAlmostEqual(linear.modes[0]["frequency"], math.sqrt(9.81 / l) / (2 * math.pi), places=10)
        np.testing.assert_allclose(sorted(abs(np.linalg.eigvals(linear.A).imag))[-1], math.sqrt(9.81 / l), rtol=1e-9)
        self.assertEqual(linear.C.shape, (1, 2))
        self.assertIn("bob.angle", linear.modes[0]["shape"])

    def test_linear_before_zero(self):
        m = lash.load({
            "bodies": {"a": {"mass": 1, "inertia": 1}},
            "forces": {"wind": {"type": "force", "at": "a", "force": ["-(1 + t)*a.vx", 0]}},
            "run": {"begin": -1, "until": 1}})
        for at, damping in ((None, 0), (-0.5, 0.5), (0.0, 1), (0.5, 1.5)):
            linear = m.linearize(at=at)
            k = [i for i, name in enumerate(linear.coordinates) if name == "a.x"][0]
            self.assertAlmostEqual(linear.A[k + 3, k + 3], -damping, places=6)


    def test_linear_outside(self):
        """A time before the run, and one that a lost contact keeps it from: no other time is taken for it."""
        m = lash.load({"gravity": [0, -9.81], "run": {"until": 1},
                       "bodies": {"bead": {"mass": 1, "inertia": 0.01, "position": [0, -0.05], "velocity": [1.3, 0]}},
                       "joints": {"ring": {"type": "revolute", "between": ["ground", "bead"],
                                           "clearance": {"bearing_radius": 0.06, "radial": 0.05, "stop_at_loss": True,
                                                         "model": "permanent-contact"}}}})
        m.linearize(at=0.1)
        with self.assertRaisesRegex(lash.UsageError, "the run ends at t = 0.107659"):
            m.linearize(at=0.5)
        with self.assertRaisesRegex(lash.UsageError, "the run begins at t = 0 s"):
            m.linearize(at=-1)


class Names(unittest.TestCase):
    def test_long_names(self):
        name = "bearing_" * 12
        m = lash.load({
            "gravity": [0, -9.81],
            "bodies": {"bar": {"mass": 1, "inertia": 0.03, "position": [0.3, 0], "points": {"pin": [-0.3, 0]}}},
            "joints": {name: {"type": "revolute", "between": ["ground", "bar.pin"], "clearance": {
                "bearing_radius": "10 mm", "diametric": "0.1 mm",
                "contact": {"stiffness": 1e8, "restitution": 0.5}}}},
            "run": {"until": 0.1}})
        path = os.path.join(tempfile.mkdtemp(), "long.h5")
        r = m.run(output=path)
        for events in (r.events, lash.open(path).events, m.sim().run().events):
            self.assertGreater(len(events), 0)
            self.assertEqual(set(events["joint"]), {name})


class Studies(unittest.TestCase):
    def test_study(self):
        table = lash.study({"model": FLORES, "axes": {"play": ["0.1 mm", "0.2 mm"]}, "run": {"until": "1 ms"},
                            "metrics": ["max slider.ax"]}, progress=False)
        self.assertEqual(len(table["play"]), 2)
        self.assertEqual(table["max slider.ax"].unit, "m/s^2")
        self.assertEqual(list(table["status"]), ["ok", "ok"])
        with self.assertRaises(lash.ModelError):
            lash.study({"model": FLORES, "metrics": ["biggest slider.ax"]})
        with self.assertRaises(ValueError):
            lash.study({"model": FLORES, "metrics": ["max slider.ax"]}, on="moon")
        content = {"model": FLORES, "axes": {"play": ["0.1 mm", "0.2 mm"]}, "run": {"until": "1 ms"},
                   "metrics": ["max slider.vx"]}
        one, side = lash.study(content, progress=False), lash.study(content, progress=False, on="cpu")
        self.assertTrue(np.allclose(one["max slider.vx"], side["max slider.vx"], rtol=1e-4))

    def test_sweep(self):
        m = lash.load(FLORES)
        by_name = lash.sweep(m, ["max slider.ax"], play=[1e-4, 2e-4], run={"until": "1 ms"})
        own = lash.sweep(m, {"largest": lambda r: r["slider.ax"].max()}, play=[1e-4, 2e-4], run={"until": "1 ms"})
        np.testing.assert_allclose(own["largest"], by_name["max slider.ax"], rtol=1e-3)
        self.assertEqual(list(own["status"]), ["ok", "ok"])
        with self.assertRaises(lash.UsageError):  # a function is given the whole run
            lash.sweep(m, {"largest": lambda r: r["slider.ax"].max()}, play=[1e-4], discard="0.5 ms")

    def test_sweep_with_failures(self):
        table = lash.sweep(lash.load(FLORES), {"end": lambda r: r.time[-1]}, play=[1e-4, -1.0], run={"until": "1 ms"})
        self.assertEqual(list(table["status"]), ["ok", "ERROR_MODEL"])
        self.assertAlmostEqual(table["end"][0], 1e-3)
        self.assertTrue(math.isnan(table["end"][1]))

    def test_own_metrics(self):
        content = {"model": FLORES, "axes": {"play": ["0.1 mm", "0.2 mm"]}, "run": {"until": "1 ms"},
                   "metrics": ["own reach", "own steps"]}
        table = lash.study(content, progress=False,
                           own={"reach": lambda sim: sim["slider.x"], "steps": lambda sim: sim.summary["steps"]})
        for k, play in enumerate((1e-4, 2e-4)):
            sim = lash.load(FLORES, play=play).sim(until="1 ms").run()
            self.assertEqual(table["own reach"][k], sim["slider.x"])
            self.assertEqual(table["own steps"][k], sim.summary["steps"])
        with self.assertRaises(lash.UsageError):
            lash.study(content, progress=False)  # nothing computes them
        with self.assertRaises(lash.UsageError):
            lash.study(content, progress=False, own={"rech": lambda sim: 0})
        with self.assertRaises(ZeroDivisionError):
            lash.study(content, progress=False, own={"reach": lambda sim: 1 / 0, "steps": lambda sim: 0})

    def test_own_metrics_that_fail(self):
        """A point whose function fails is not in the table: it is computed when the study goes on."""
        content = {"model": FLORES, "axes": {"play": ["0.1 mm", "0.15 mm", "0.2 mm", "0.3 mm"]},
                   "run": {"until": "1 ms"}, "metrics": ["own reach"]}
        store = os.path.join(tempfile.mkdtemp(), "own.db")
        seen = []

        def reach(sim):
            seen.append(sim)
            return sim["slider.x"] if len(seen) < 2 else 1 / 0

        with self.assertRaises(ZeroDivisionError):
            lash.study(content, store=store, jobs=1, progress=False, own={"reach": reach})
        self.assertEqual(len(seen), 2)
        self.assertEqual(len(lash.open_table(store)["own reach"]), 1)
        table = lash.study(content, store=store, progress=False, own={"reach": lambda sim: sim["slider.x"]})
        self.assertEqual(len(table["own reach"]), 4)
        self.assertTrue(np.isfinite(table["own reach"]).all())
        with self.assertRaises(lash.Error):  # the simulation was the study's, and is gone
            seen[0].step()
        with self.assertRaises(KeyError):
            seen[0]["slider.x"]


class Whole(unittest.TestCase):
    def test_small_things(self):
        self.assertEqual(lash.quantity("0.2 mm", "m"), 0.2e-3)
        with self.assertRaises(lash.Error):
            lash.quantity("0.2 kg", "m")
        self.assertEqual(lash.bearing(eccentricity=0.5, film="short")["eccentricity"], 0.5)
        s = lash.bearing(eccentricity=0.5)["sommerfeld"]
        self.assertAlmostEqual(lash.bearing(sommerfeld=s)["eccentricity"], 0.5, places=6)
        self.assertGreater(lash.oil_viscosity("SAE 30", 333.0)[0], 0)
        self.assertEqual(lash.__version__, "0.2.0")
        self.assertIn("revolute", lash.schema()["definitions"]["plane-joint"]["properties"]["type"]["enum"])
        self.assertIn("lash.load", lash.__doc__)
        for name in lash.__all__:
            if name not in ("ffi", "lib"):
                self.assertTrue(getattr(lash, name).__doc__, name)

    def test_whole_library(self):
        """At least nine of ten functions of the public headers can be called."""
        import re
        headers = os.path.join(EXAMPLES, "..", "include", "lash")
        words = ""
        for name in os.listdir(headers):
            with open(os.path.join(headers, name), encoding="utf-8") as file:
                words += file.read()
        names = set(re.findall(r"\b(lash_[a-z_0-9]+)\(", re.sub(r"/\*.*?\*/", "", words, flags=re.S)))
        missing = [name for name in names if not hasattr(lash.lib, name)]
        self.assertGreater(len(names), 100)
        self.assertLess(len(missing), len(names) / 10, missing)

    def test_threads(self):
        m = lash.load(FLORES, play="0.2 mm")
        alone = m.run(until="1 rev of motor", samples=50)
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(lambda k: m.run(until="1 rev of motor", samples=50), range(8)))
        for r in results:
            np.testing.assert_array_equal(r["slider.x"], alone["slider.x"])

    def test_lock_is_released(self):
        """While a run computes on one thread, another thread keeps counting."""
        m, done, counted = lash.load(FLORES, play="0.2 mm"), threading.Event(), 0

        def compute():
            m.run(until="40 rev of motor", samples=10)
            done.set()

        thread = threading.Thread(target=compute)
        thread.start()
        while not done.is_set():
            counted += 1
        thread.join()
        self.assertGreater(counted, 1000)

    def test_memory(self):
        """Ten thousand runs leave nothing behind: what malloc holds does not grow."""
        m, loose = lash.load(BLOCK), lash.load(FLORES, play="0.2 mm")
        libc = ctypes.CDLL(None)

        class Info(ctypes.Structure):
            _fields_ = [(name, ctypes.c_size_t) for name in
                        ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks",
                         "keepcost")]

        libc.mallinfo2.restype = Info
        runs = int(os.environ.get("LASH_RUNS", "10000"))

        def use(count):
            for k in range(count):
                (loose if k % 10 == 0 else m).run(until=2e-4)

        use(runs // 5)
        before = libc.mallinfo2().uordblks
        use(runs)
        self.assertLess(libc.mallinfo2().uordblks - before, 200_000)


if __name__ == "__main__":
    unittest.main(verbosity=1, argv=sys.argv)
