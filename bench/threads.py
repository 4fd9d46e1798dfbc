# SPDX-License-Identifier: MIT
"""Runs on 1, 2 and 4 threads of Python: how much of the cores they use.

    PYTHONPATH=build/python python3 bench/threads.py [RUNS]

Runs release Python's lock. First, by processor time, which other programs do not disturb: the share p of a run in which
the lock is free, and how much N threads can gain by it on N cores, 1/((1 − p) + p/N). Then what the clock says: on a machine
with fewer cores than threads, or with a load, that is less.
"""
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import lash

here = os.path.dirname(os.path.abspath(__file__))
runs = int(sys.argv[1]) if len(sys.argv) > 1 else 16
model = lash.load(os.path.join(here, "..", "examples", "flores-2010.yaml"), play="0.2 mm")


def one(k):
    return model.run(until="20 rev of motor", samples=10).summary["evaluations"]


def processor_time(work):
    begun = time.thread_time()
    work()
    return time.thread_time() - begun


one(0)
whole = min(processor_time(lambda: one(0)) for _ in range(5))
sims = [model.sim(until="20 rev of motor") for _ in range(5)]
inside = min(processor_time(lambda: lash.lib.lash_sim_run(sim._pointer, lash.ffi.NULL, lash.ffi.NULL, lash.ffi.NULL))
             for sim in sims)
p = min(inside / whole, 1)
print(f"the lock is free in {100 * p:.1f} % of a run: " +
      ", ".join(f"{n} threads gain up to {1 / (1 - p + p / n):.2f}" for n in (2, 4, 8)))
print(f"{len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f}; {runs} runs of 20 turns")
print("threads  clock, s  processor, s  busy cores  runs/s")
for threads in (1, 2, 4):
    clock, processor = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        counts = set(pool.map(one, range(runs)))
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    assert len(counts) == 1, counts
    print(f"{threads:7} {clock:9.2f} {processor:13.2f} {processor / clock:11.2f} {runs / clock:7.2f}")
