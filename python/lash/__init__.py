# SPDX-License-Identifier: MIT
"""Lash: the motion of machines whose joints have play.

    import lash
    m = lash.load("flores-2010.yaml", play="0.2 mm", gudgeon="clearance")
    r = m.run(until="2 rev of motor", rtol=1e-8)
    r["slider.vx"]            # a NumPy array with .unit
    r.events, r.summary       # a structured array, a dict
    r.plot("orbit")           # SVG, which a notebook shows
    lash.open("x.h5")         # a result file

    sim = m.sim()             # step by step
    while sim.step():
        print(sim.time, sim["gudgeon.fn"])

Numbers are SI; texts may have units. Errors are exceptions (lash.Error) with file, line, column, time and
joint. Calls release Python's lock: threads run side by side, each with a Sim of its own; a Model may be shared.
The whole C library, as its headers describe it, is in `lash.lib`, with `lash.ffi`.
"""
from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

from ._error import Error, FileError, Interrupted, ModelError, RunError, UsageError, check, new_error, text
from ._lash import ffi, lib
from ._model import Linear, Model, Motion, Parameter, Sim, State, load
from ._result import Array, Picture, Result
from ._result import open_result as open
from ._study import Table, open_table, study, sweep

__version__ = text(lib.lash_version())
__all__ = ["Array", "Error", "FileError", "Interrupted", "Linear", "Model", "ModelError", "Motion", "Parameter", "Picture",
           "Result", "RunError", "Sim", "State", "Table", "UsageError", "bearing", "ffi", "lib", "load", "oil_viscosity",
           "open", "open_table", "quantity", "schema", "study", "sweep"]


def quantity(words: str, unit: str = "") -> float:
    """A number with a unit, in SI: quantity("0.2 mm", "m") is 0.0002."""
    error, value = new_error(), ffi.new("double *")
    check(lib.lash_quantity_read(value, words.encode(), unit.encode(), error), error)
    return value[0]


def bearing(eccentricity: Optional[float] = None, sommerfeld: Optional[float] = None, film: str = "reynolds",
            length_ratio: float = 1.0, full: bool = False, inlet: Optional[str] = None,
            groove: float = 0.0) -> Dict[str, float]:
    """A journal bearing under a steady load, at an eccentricity e/c or a Sommerfeld number; plain numbers."""
    error, out, bearing_def = new_error(), ffi.new("lash_bearing_point *"), ffi.new("lash_bearing_def *")
    bearing_def[0] = lib.lash_bearing_default()
    kept = (ffi.new("char[]", film.encode()), ffi.new("char[]", inlet.encode()) if inlet else None)
    bearing_def.film, bearing_def.length_ratio, bearing_def.full = kept[0], length_ratio, full
    if kept[1]:
        bearing_def.inlet, bearing_def.groove = kept[1], groove
    if (eccentricity is None) == (sommerfeld is None):
        raise UsageError("a bearing needs an eccentricity or a Sommerfeld number", "ERROR_USAGE")
    if eccentricity is not None:
        check(lib.lash_bearing_solve(out, bearing_def, eccentricity, error), error)
    else:
        check(lib.lash_bearing_find(out, bearing_def, sommerfeld, error), error)
    return {name: getattr(out, name) for name, _ in ffi.typeof("lash_bearing_point").fields}


def oil_viscosity(oil: str, temperature: float) -> Tuple[float, Optional[str]]:
    """Viscosity in Pa s of an oil ("SAE 30") at a temperature in K, and a warning or None."""
    error, out, warning = new_error(), ffi.new("double *"), ffi.new("const char **")
    check(lib.lash_oil_viscosity(out, warning, oil.encode(), temperature, error), error)
    return out[0], text(warning[0]) or None


def schema() -> Dict[str, Any]:
    """The JSON Schema of model and study files."""
    import json
    words = lib.lash_schema()
    if not words:
        raise MemoryError("Lash is out of memory")
    try:
        return json.loads(text(words))
    finally:
        lib.free(words)
