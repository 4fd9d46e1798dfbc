# SPDX-License-Identifier: MIT
"""A control loop in Python: a pendulum that is kept upright by a torque, sampled a hundred times per second."""
import math

import lash

length, mass = 0.5, 1.2
model = lash.load({
    "title": "A pendulum kept upright",
    "gravity": [0, -9.81],
    "ground": {"points": {"o": [0, 0]}},
    "bodies": {"rod": {"mass": mass, "inertia": mass * length**2 / 3, "position": [0.05, length],
                       "points": {"foot": [0, -length]}}},
    "joints": {"pin": {"type": "revolute", "between": ["ground.o", "rod.foot"]}},
    "forces": {"motor": {"type": "torque", "body": "rod", "torque": 0}},
    "run": {"until": 5},
})

# Gains from the linearised model about the upright position: both poles at −8 1/s.
linear = model.linearize()
a, b = linear.A[1, 0], linear.B[1, 0]
print(f"without control it falls: pole at {max(m['eigenvalue'].real for m in linear.modes):.3f} 1/s")
inertia = 1 / b**2  # of the coordinate in which the mass matrix is 1, about the pin
stiffness, damping = inertia * (a + 64), inertia * 16

sim = model.sim()
worst = 0.0
for sample in range(500):
    angle, speed = sim["rod.angle"], sim["rod.wz"]
    sim.set_input("motor.torque", -stiffness * angle - damping * speed)
    sim.run(0.01 * (sample + 1))
    if sample > 200:
        worst = max(worst, abs(sim["rod.angle"]))
print(f"after two seconds it stays within {worst:.2e} rad")
assert worst < 1e-3 and math.isfinite(worst)
