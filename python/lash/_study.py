# SPDX-License-Identifier: MIT
"""Studies: one model at many points."""
from __future__ import annotations

import itertools
import json
import math
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Union

import numpy as np

from ._error import Error, Interrupted, UsageError, check, new_error, text
from ._lash import ffi, lib
from ._model import Model, Sim, _Mistakes, _plain
from ._result import Array


class Table(Mapping[str, Array]):
    """The table of a study: `table["max slider.ax"]` is a column (an array with `.unit`; texts where there are no
    numbers), `table.row(k)` a dict; `frame()` gives a pandas DataFrame."""

    def __init__(self, columns: Dict[str, Array], title: str = "", points: int = 0):
        self._columns, self.title, self.points = columns, title, points

    def __getitem__(self, name: str) -> Array:
        if name not in self._columns:
            raise KeyError(f"no column '{name}'; there are {', '.join(self._columns)}")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def row(self, index: int) -> Dict[str, Any]:
        return {name: values[index] for name, values in self._columns.items()}

    def frame(self) -> Any:
        import pandas
        return pandas.DataFrame({name: np.asarray(values) for name, values in self._columns.items()})

    def __repr__(self) -> str:
        rows = len(next(iter(self._columns.values()))) if self._columns else 0
        return f"<lash.Table '{self.title}': {rows} of {self.points} points, columns {', '.join(self._columns)}>"


def open_table(path: str) -> Table:
    """The table of a study (.db), finished or not."""
    error, pointer = new_error(), ffi.new("lash_study_table **")
    check(lib.lash_study_table_open(pointer, os.fsencode(path), error), error)
    table = ffi.gc(pointer[0], lib.lash_study_table_close)
    rows, columns = lib.lash_study_table_rows(table), {}
    for c in range(lib.lash_study_table_width(table)):
        column = lib.lash_study_table_column(table, c)
        name, unit = text(column.name), text(column.unit)
        numbers = [lib.lash_study_table_number(table, r, c) for r in range(rows)]
        words = [text(lib.lash_study_table_text(table, r, c)) for r in range(rows)]
        plain = all(not word or not math.isnan(number) for word, number in zip(words, numbers))
        empty = not any(words)
        columns[name] = Array(words if column.kind == lib.LASH_COLUMN_STATUS or (not plain and not empty) else numbers,
                              name, unit)
    return Table(columns, text(lib.lash_study_table_about(table, b"title")), lib.lash_study_table_points(table))


class _Points:
    def __init__(self, shown: bool, progress: Optional[Callable[[int, int], Any]], own: Sequence["_Own"]):
        self.shown, self.progress, self.own = shown, progress, own
        self.raised: Optional[BaseException] = None
        self.handle = ffi.new_handle(self)


@ffi.def_extern(error=False)
def lashpy_points(user: Any, progress: Any) -> bool:
    points: _Points = ffi.from_handle(user)
    try:
        if points.shown:
            width = 30
            filled = width * progress.done // max(progress.points, 1)
            failed = f", {progress.failed} failed" if progress.failed else ""
            sys.stderr.write(f"\r[{'#' * filled}{' ' * (width - filled)}] {progress.done} of {progress.points}{failed}")
            sys.stderr.flush()
        if points.raised is None and points.progress and points.progress(progress.done, progress.points) is False:
            return False
        return points.raised is None and all(own.raised is None for own in points.own)
    except BaseException as raised:
        points.raised = raised
        return False


class _Own:
    """A metric made by a function of the sim at the end of a point's run."""

    def __init__(self, function: Callable[[Sim], Any]):
        self.function = function
        self.raised: Optional[BaseException] = None
        self.handle = ffi.new_handle(self)


@ffi.def_extern(error=lib.LASH_STOP_INTERRUPTED)
def lashpy_metric(user: Any, memory: Any, sim: Any, error: Any) -> int:
    own: _Own = ffi.from_handle(user)
    view = Sim.__new__(Sim)._take(None, lib.lash_sim_system(sim), sim)
    try:
        if own.raised is None:
            ffi.cast("double *", memory)[0] = float(own.function(view))
            return lib.LASH_OK
    except BaseException as raised:
        own.raised = raised
    finally:
        view._leave()
    return lib.LASH_STOP_INTERRUPTED  # the point is left for the next time


def study(source: Union[str, os.PathLike, Mapping[str, Any]], store: Optional[str] = None, jobs: int = 0,
          retry_failed: bool = False, progress: Any = None,
          own: Optional[Mapping[str, Callable[[Sim], Any]]] = None, on: Optional[str] = None) -> Table:
    """Runs a study file, or a dict with its keys, and returns the table.

    With `store` the table is kept in that file, and a study that was stopped continues; without it nothing is
    kept. `progress` is a function (done, points), True for a bar, or None: a bar on a terminal. `own` has a
    function for each metric that the study lists as "own NAME": it is given the `lash.Sim` at the end of a
    point's run and returns a number. `on` is "cpu", "gpu" or "auto": where many points are computed side by side, as with `lash study --on`."""
    ways = {None: lib.LASH_STUDY_ONE_BY_ONE, "cpu": lib.LASH_STUDY_LANES, "gpu": lib.LASH_STUDY_GPU,
            "auto": lib.LASH_STUDY_FASTEST}
    if on not in ways:
        raise ValueError(f"on is 'cpu', 'gpu', 'auto' or None, not {on!r}")
    error, pointer, mistakes = new_error(), ffi.new("lash_study **"), _Mistakes()
    options = ffi.new("lash_load_options *")
    options.report, options.user = lib.lashpy_mistake, mistakes.handle
    if isinstance(source, Mapping):
        data = json.dumps(source, default=_plain).encode()
        status = lib.lash_study_parse(pointer, data, len(data), b"study", options, error)
    else:
        status = lib.lash_study_load(pointer, os.fsencode(source), options, error)
    if status < 0 and mistakes.errors:
        mistakes.errors[0].mistakes = mistakes.errors
        raise mistakes.errors[0]
    check(status, error)
    made = ffi.gc(pointer[0], lib.lash_study_destroy)
    functions = {name: _Own(function) for name, function in (own or {}).items()}
    for name, function in functions.items():
        metric = ffi.new("lash_study_metric *")
        metric.memory = ffi.sizeof("double")
        metric.conclude, metric.value = lib.lashpy_metric, ffi.addressof(lib, "lashpy_value")
        metric.user = function.handle
        check(lib.lash_study_set_metric(made, name.encode(), metric, error), error)
    shown = progress is True or (progress is None and sys.stderr.isatty())
    points = _Points(shown, progress if callable(progress) else None, list(functions.values()))
    with tempfile.TemporaryDirectory() as folder:
        path = store or os.path.join(folder, "study.db")
        run, outcome, name = ffi.new("lash_study_options *"), ffi.new("lash_study_progress *"), os.fsencode(path)
        kept = ffi.new("char[]", name)
        run.store, run.jobs, run.retry_failed, run.way = kept, jobs, retry_failed, ways[on]
        run.progress, run.user = lib.lashpy_points, points.handle
        status = lib.lash_study_run(outcome, made, run, error)
        if shown:
            sys.stderr.write("\n")
        check(status, error)
        table = open_table(path)
    if isinstance(points.raised, KeyboardInterrupt):
        raise Interrupted("the study was stopped; the same call with `store` goes on", table)
    for callback in (points, *functions.values()):
        if callback.raised is not None:
            raise callback.raised
    return table


def sweep(model: Model, metrics: Union[Sequence[str], Mapping[str, Callable[[Any], Any]]], jobs: int = 0,
          run: Optional[Mapping[str, Any]] = None, discard: Any = None, **axes: Sequence[Any]) -> Table:
    """A model at all combinations of parameter values: lash.sweep(m, ["max slider.ax"], play=[1e-4, 2e-4]).

    Metrics are those of studies by name, or functions of a `lash.Result` by the name of their column, which
    are computed on threads. As in studies, a point that fails has empty cells (NaN) and its status in the
    column `status`. `discard` is for metrics by name; a function leaves out what it does not want."""
    if isinstance(metrics, Mapping) and discard is not None:
        raise UsageError("`discard` is for metrics by name: a function is given the whole run and leaves out what it "
                         "does not want", "ERROR_USAGE")
    if not isinstance(metrics, Mapping):
        with tempfile.TemporaryDirectory() as folder:
            # Beside the model, tables that it names are found.
            place = os.path.dirname(os.path.abspath(model._name)) if os.path.exists(model._name) else folder
            with tempfile.NamedTemporaryFile("w", suffix=".yaml", dir=place, delete=False) as file:
                file.write(model.text)
            try:
                content: Dict[str, Any] = {"model": os.path.abspath(file.name), "metrics": list(metrics),
                                           "axes": {name: [_setting(v) for v in values]
                                                    for name, values in axes.items()}}
                fixed = {k: v for k, v in model.settings.items() if not k.startswith("run.") and k not in axes}
                runs = {k[4:]: v for k, v in model.settings.items() if k.startswith("run.")}
                runs.update({k: _setting(v) for k, v in (run or {}).items()})
                if fixed:
                    content["set"] = fixed
                if runs:
                    content["run"] = runs
                if discard is not None:
                    content["discard"] = discard
                return study(content, jobs=jobs)
            finally:
                os.unlink(file.name)
    grid = list(itertools.product(*axes.values()))

    def point(values: Sequence[Any]) -> List[Any]:
        try:
            result = model.set(**dict(zip(axes, values))).run(**(run or {}))
        except Error as error:
            return [math.nan] * len(metrics) + [error.status]
        return [metric(result) for metric in metrics.values()] + ["ok"]

    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        rows = list(pool.map(point, grid))
    columns = {name: Array([values[k] for values in grid], name) for k, name in enumerate(axes)}
    columns.update({name: Array([row[k] for row in rows], name) for k, name in enumerate([*metrics, "status"])})
    return Table(columns, model.title, len(grid))


def _setting(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
