# SPDX-License-Identifier: MIT
"""Results: channels as arrays with units, events, the summary, figures."""
from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

import numpy as np

from ._error import FileError, UsageError, check, new_error, no_channel, text
from ._lash import ffi, lib

STREAMS = {"samples": 0, "steps": 1, "peaks": 2}
_numbers = ["time", "angle", "speed", "peak_force", "peak_penetration", "duration", "energy_lost", "rebound", "impulse",
            "crank", "elevation", "peak_time", "peak_elastic", "peak_damping", "peak_depth"]
EVENT = np.dtype([("kind", "U20"), ("joint", "U64"), ("impact", "?")] + [(name, "f8") for name in _numbers])


def event_table(rows: Sequence[tuple]) -> np.ndarray:
    """Rows of `event_row` as an array; its joints have room for the longest name."""
    longest = max((len(row[1]) for row in rows), default=0)
    if longest <= 64:
        return np.array(rows, dtype=EVENT)
    wider = [(name, f"U{longest}" if name == "joint" else EVENT[name]) for name in EVENT.names]
    return np.array(rows, dtype=wider)


class Array(np.ndarray):
    """A NumPy array that knows its `name` and its `unit` (SI)."""

    name: str
    unit: str

    def __new__(cls, values: Any, name: str = "", unit: str = "") -> "Array":
        out = np.asarray(values).view(cls)
        out.name, out.unit = name, unit
        return out

    def __array_finalize__(self, other: Any) -> None:
        self.name, self.unit = getattr(other, "name", ""), getattr(other, "unit", "")

    def __reduce__(self):
        return (Array, (np.asarray(self), self.name, self.unit))


class Picture:
    """A figure as SVG: a notebook shows it; `save` writes it."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


def event_row(event: Any) -> tuple:
    return (text(lib.lash_event_kind_name(event.kind)), text(event.joint), bool(event.impact)) + tuple(
        getattr(event, name) for name in _numbers)


def _value(word: str) -> Any:
    try:
        number = float(word)
    except ValueError:
        return word
    return int(number) if number.is_integer() and abs(number) < 2**53 and "e" not in word and "." not in word else number


def program() -> str:
    """The program `lash`, which draws figures and pages: $LASH, or the one in the PATH."""
    found = os.environ.get("LASH") or shutil.which("lash")
    if not found:
        raise FileError("the program `lash` is needed for figures and pages and is not in the PATH; "
                        "install it, or name it in the environment variable LASH")
    return found


class Result(Mapping[str, Array]):
    """What a run recorded: `result["slider.vx"]` is an array with `.unit`, over `result.time`.

    `stream` says which rows: "samples", "steps" or "peaks"; `result.rows("steps")` gives another one. `events`
    is a structured array, `summary` a dict, `title` and `status` are texts."""

    def __init__(self, names: Sequence[str], units: Sequence[str], blocks: Dict[str, Any], events: np.ndarray,
                 summary: Dict[str, Any], about: Dict[str, str], again: Any = None, path: Optional[str] = None,
                 stream: Optional[str] = None):
        self._names, self._units = list(names), dict(zip(names, units))
        self._blocks, self._again, self._path = blocks, again, path
        self.events, self.summary, self.about = events, summary, about
        self.state: Any = None  # at the end of the run, for `run(after=…)`; None: read from a file
        self.stream = stream or next((s for s in ("samples", "steps", "peaks") if s in blocks), "samples")

    # -- columns
    @property
    def channels(self) -> List[str]:
        return list(self._names)

    @property
    def units(self) -> Dict[str, str]:
        return dict(self._units)

    @property
    def time(self) -> Array:
        return self["time"]

    @property
    def title(self) -> str:
        return self.about.get("title", "")

    @property
    def status(self) -> str:
        return str(self.summary.get("status", ""))

    def rows(self, stream: str) -> "Result":
        """The same result with the rows of another stream."""
        if stream not in self._blocks:
            raise UsageError(f"there is no stream '{stream}'; recorded are: {', '.join(self._blocks) or 'none'}",
                             "ERROR_USAGE")
        return Result(self._names, [self._units[n] for n in self._names], self._blocks, self.events, self.summary,
                      self.about, self._again, self._path, stream)

    def __getitem__(self, name: str) -> Array:
        if name not in self._units:
            raise no_channel(name, self._names)
        block = self._blocks.get(self.stream)
        column = self._names.index(name)
        values = np.empty(0) if block is None else block(column) if callable(block) else block[:, column]
        return Array(values, name, self._units[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<lash.Result '{self.title}': {len(self)} channels, {len(self.time)} {self.stream}, " \
               f"{len(self.events)} events, {self.status}>"

    def frame(self) -> Any:
        """A pandas DataFrame over time."""
        import pandas
        return pandas.DataFrame({name: np.asarray(self[name]) for name in self._names[1:]},
                                index=pandas.Index(np.asarray(self.time), name="time"))

    # -- figures, by the program
    def _file(self, folder: str) -> str:
        if self._path:
            return self._path
        if not self._again:
            raise UsageError("only a result of a model's run, or of a file, can be drawn", "ERROR_USAGE")
        path = os.path.join(folder, "result.h5")
        self._again(path)  # a run repeats bit for bit
        return path

    def h5(self) -> Any:
        """The file of a result that was opened or written, as an h5py file, to be closed by the caller."""
        if not self._path:
            raise UsageError("this result is in memory alone: run the model with output=…, or open a file",
                             "ERROR_USAGE")
        import h5py
        return h5py.File(self._path, "r")

    def plot(self, what: str = "history", ax: Any = None, **options: Any) -> Any:
        """A figure as `lash plot` draws it: orbit, phase, poincare, history, … or channels "a,b". Options are
        those of the program: joint="gudgeon", channels="slider.vx", size="16x11".

        With `ax`, axes of matplotlib, it is drawn there, and the axes are returned: "orbit" of a joint, "phase"
        of two channels, or channels over time."""
        if ax is not None:
            return draw(ax, self, what, **options)
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "figure.svg")
            words = [program(), "plot", self._file(folder), "--what", what, "-o", picture, "-q"]
            for name, value in options.items():
                words += ["--" + name.replace("_", "-"), str(value)]
            done = subprocess.run(words, capture_output=True, text=True)
            if done.returncode:
                raise UsageError(done.stderr.strip(), "ERROR_USAGE")
            with open(picture, encoding="utf-8") as file:
                return Picture(file.read())

    def report(self, path: str) -> str:
        """Writes the page of `lash report`, with figures and the machine in motion; returns the path."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([program(), "report", self._file(folder), "-o", path, "-q"], capture_output=True,
                                  text=True)
            if done.returncode:
                raise FileError(done.stderr.strip(), "ERROR_IO")
        return path


def draw(ax: Any, result: Result, what: str, joint: Optional[str] = None, channels: Optional[str] = None) -> Any:
    """Draws into axes of matplotlib."""
    def label(channel: str) -> str:
        return f"{channel}, {result.units[channel]}" if result.units[channel] else channel

    if what == "orbit":
        joints = [name[:-3] for name in result if name.endswith(".ex") and name[:-3] + ".ey" in result]
        if joint is None and len(joints) == 1:
            joint = joints[0]
        if joint not in joints:
            raise UsageError(f"an orbit needs joint=…, one of: {', '.join(joints) or 'none has play'}", "ERROR_USAGE")
        x, y = joint + ".ex", joint + ".ey"
        ax.set_aspect("equal")
    elif what == "phase":
        pair = (channels or "").split(",")
        if len(pair) != 2:
            raise UsageError('a phase plot needs two channels: channels="slider.x,slider.vx"', "ERROR_USAGE")
        x, y = pair
    else:
        names = (channels if what == "history" and channels else what).split(",")
        if names == ["history"] or any(name not in result for name in names):
            raise UsageError(f"matplotlib draws orbit, phase and channels over the time, not '{what}'; without ax "
                             "the program draws the others", "ERROR_USAGE")
        for name in names:
            ax.plot(np.asarray(result.time), np.asarray(result[name]), label=label(name))
        ax.set_xlabel(label("time"))
        if len(names) == 1:
            ax.set_ylabel(label(names[0]))
        else:
            ax.legend()
        return ax
    ax.plot(np.asarray(result[x]), np.asarray(result[y]))
    ax.set_xlabel(label(x))
    ax.set_ylabel(label(y))
    return ax


def summary_of(sim: Any) -> Dict[str, Any]:
    import json
    summary = ffi.new("lash_summary *", lib.lash_sim_summary(sim))
    words = lib.lash_summary_json(summary)
    if not words:
        raise MemoryError("Lash is out of memory")
    try:
        return json.loads(text(words))
    finally:
        lib.free(words)


def of_record(record: Any, sim: Any, about: Dict[str, str], again: Any, path: Optional[str]) -> Result:
    """A finished record in memory, copied."""
    width = lib.lash_record_column_count(record)
    names = [text(lib.lash_record_column_name(record, k)) for k in range(width)]
    units = [text(lib.lash_record_column_unit(record, k)) for k in range(width)]
    count, blocks = ffi.new("size_t *"), {}
    for name, stream in STREAMS.items():
        rows = lib.lash_record_rows(count, record, stream)
        if rows and count[0]:
            size = count[0] * width * 8
            blocks[name] = np.frombuffer(ffi.buffer(rows, size), dtype=float).reshape(count[0], width).copy()
    events = lib.lash_record_events(count, record)
    table = event_table([event_row(events[k]) for k in range(count[0])])
    return Result(names, units, blocks, table, summary_of(sim), about, again, path)


def open_result(path: str) -> Result:
    """A result file (.h5) of `lash run` or of `model.run(output=…)`. Columns are read when they are needed."""
    error, pointer = new_error(), ffi.new("lash_result **")
    check(lib.lash_result_open(pointer, os.fsencode(path), error), error)
    result = ffi.gc(pointer[0], lib.lash_result_close)
    width = lib.lash_result_column_count(result)
    names = [text(lib.lash_result_column_name(result, k)) for k in range(width)]
    units = [text(lib.lash_result_column_unit(result, k)) for k in range(width)]

    def reader(stream: int, count: int):
        def column(index: int) -> np.ndarray:
            values = np.empty(count)
            check(lib.lash_result_read_columns(ffi.from_buffer("double[]", values), result, stream, [index], 1, 0,
                                               count, error), error)
            return values
        return column

    blocks = {}
    for name, stream in STREAMS.items():
        count = lib.lash_result_row_count(result, stream)
        if count:
            blocks[name] = reader(stream, count)
    count = lib.lash_result_event_count(result)
    events = ffi.new("lash_event[]", max(count, 1))
    check(lib.lash_result_read_events(events, result, error), error)
    table = event_table([event_row(events[k]) for k in range(count)])
    about = {name: text(lib.lash_result_text(result, name.encode()))
             for name in ("title", "model", "version", "settings")}
    lines = (line.partition(" = ") for line in text(lib.lash_result_text(result, b"summary")).splitlines())
    return Result(names, units, blocks, table, {name: _value(value) for name, _, value in lines}, about, None,
                  os.fspath(path))
