# SPDX-License-Identifier: MIT
"""A model of one's own beside Lash: a double pendulum by SciPy, in angles, against the same in bodies and joints."""
import numpy as np
from scipy.integrate import solve_ivp

import lash

m, l, J, g = 1.0, 0.6, 0.05, 9.81
start = np.array([1.2, -0.4, 0.0, 0.0])


def own(t, y):
    """Lagrange's equations of two rods, angles from the vertical."""
    p, q, u, v = y
    c, s = np.cos(p - q), np.sin(p - q)
    h = l / 2
    M = np.array([[m * h * h + J + m * l * l, m * l * h * c], [m * l * h * c, m * h * h + J]])
    f = np.array([-m * l * h * s * v * v - (m * h + m * l) * g * np.sin(p), m * l * h * s * u * u - m * h * g * np.sin(q)])
    return np.concatenate([[u, v], np.linalg.solve(M, f)])


def centre(angle, top):
    return [top[0] + l / 2 * np.sin(angle), top[1] - l / 2 * np.cos(angle)]


elbow = [l * np.sin(start[0]), -l * np.cos(start[0])]
model = lash.load({
    "gravity": [0, -g],
    "ground": {"points": {"o": [0, 0]}},
    "bodies": {
        "upper": {"mass": m, "inertia": J, "position": centre(start[0], [0, 0]), "angle": start[0],
                  "points": {"a": [0, l / 2], "b": [0, -l / 2]}},
        "lower": {"mass": m, "inertia": J, "position": centre(start[1], elbow), "angle": start[1],
                  "points": {"a": [0, l / 2]}}},
    "joints": {"pin": {"type": "revolute", "between": ["ground.o", "upper.a"]},
               "knee": {"type": "revolute", "between": ["upper.b", "lower.a"]}},
    "run": {"until": 3, "samples": 300, "rtol": 1e-11, "stabilisation": "projection"},
})
mine = solve_ivp(own, (0, 3), start, method="DOP853", rtol=1e-12, atol=1e-12, t_eval=np.linspace(0, 3, 301))
theirs = model.run()
apart = max(np.abs(theirs["upper.angle"] - mine.y[0]).max(), np.abs(theirs["lower.angle"] - mine.y[1]).max())
print(f"the two agree within {apart:.1e} rad over 3 s")
assert apart < 1e-7, apart
