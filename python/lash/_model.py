# SPDX-License-Identifier: MIT
"""Models and running them."""
from __future__ import annotations

import json
import math
import os
import threading
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._error import Error, Interrupted, RunError, UsageError, check, exception, new_error, no_channel, text
from ._lash import ffi, lib
from ._result import Result, event_row, event_table, of_record, summary_of


@dataclass(frozen=True)
class Parameter:
    """A parameter of a model: its present value (SI; None for a switch) and its text, the text in the file, the
    SI unit, the comment beside it, the choices of a switch, and the range that the file gives it (SI; None: no
    range)."""
    name: str
    value: Optional[float]
    text: str
    usual: str
    unit: str
    doc: str
    choices: Tuple[str, ...]
    range: Optional[Tuple[float, float]] = None


def _word(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, float, np.integer, np.floating)):
        return repr(float(value)) if not float(value).is_integer() else repr(int(value))
    return str(value)


class _Mistakes:
    """Collects what reading a model reports."""

    def __init__(self) -> None:
        self.errors: List[Error] = []
        self.warnings: List[str] = []
        self.handle = ffi.new_handle(self)


@ffi.def_extern()
def lashpy_mistake(user: Any, mistake: Any) -> None:
    into: _Mistakes = ffi.from_handle(user)
    if mistake.status:
        into.errors.append(exception(mistake))
    else:
        into.warnings.append(text(mistake.message))


def _read(call: Callable[[Any, Any, Any], int], settings: Mapping[str, str]) -> Tuple[Any, List[str]]:
    error, pointer, mistakes = new_error(), ffi.new("lash_model **"), _Mistakes()
    words = [(ffi.new("char[]", name.encode()), ffi.new("char[]", value.encode()))
             for name, value in settings.items()]
    array = ffi.new("lash_setting[]", max(len(words), 1))
    for k, (name, value) in enumerate(words):
        array[k].name, array[k].value = name, value
    options = ffi.new("lash_load_options *")
    options.settings, options.setting_count = array, len(words)
    options.report, options.user = lib.lashpy_mistake, mistakes.handle
    status = call(pointer, options, error)
    if status < 0 and mistakes.errors:
        first = mistakes.errors[0]
        first.mistakes = mistakes.errors
        raise first
    check(status, error)
    return ffi.gc(pointer[0], lib.lash_model_destroy), mistakes.warnings


class Model:
    """A machine: bodies, joints, drives, forces. Made by `lash.load`. It never changes: `set` returns a new one.

    `parameters` lists what can be set; `run` computes the motion; `sim` steps through it."""

    def __init__(self, source: str, name: str, settings: Mapping[str, str]):
        data = source.encode()
        self._pointer, self.warnings = _read(
            lambda out, options, error: lib.lash_model_parse(out, data, len(data), os.fsencode(name), options, error),
            settings)
        self._source, self._name, self._settings = source, name, dict(settings)
        self._system: Any = None
        self._lock = threading.Lock()

    # -- what it is
    @property
    def title(self) -> str:
        return text(lib.lash_model_title(self._pointer))

    @property
    def text(self) -> str:
        """The text of the file."""
        return self._source

    @property
    def settings(self) -> Dict[str, str]:
        return dict(self._settings)

    @property
    def parameters(self) -> Dict[str, Parameter]:
        out, raw, k = {}, ffi.new("lash_parameter *"), 0
        while lib.lash_model_parameter(raw, self._pointer, k):
            choices = []
            while raw.choices and raw.choices[len(choices)]:
                choices.append(text(raw.choices[len(choices)]))
            out[text(raw.name)] = Parameter(text(raw.name), None if math.isnan(raw.value) else raw.value,
                                            text(raw.text), text(raw.usual), text(raw.unit), text(raw.doc),
                                            tuple(choices), None if math.isnan(raw.low) else (raw.low, raw.high))
            k += 1
        return out

    def set(self, **settings: Any) -> "Model":
        """The same model with other parameters, numbers in SI or texts with units; keys of its run block are
        given as run={"until": 0.2}."""
        run = settings.pop("run", {})
        merged = dict(self._settings)
        merged.update({name: _word(value) for name, value in settings.items()})
        merged.update({"run." + name: _word(value) for name, value in run.items()})
        return Model(self._source, self._name, merged)

    def __repr__(self) -> str:
        return f"<lash.Model '{self.title or self._name}'>"

    def __reduce__(self):
        return (Model, (self._source, self._name, self._settings))

    # -- compiled
    def _compiled(self) -> Any:
        with self._lock:
            if self._system is None:
                error, pointer = new_error(), ffi.new("lash_system **")
                check(lib.lash_system_compile(pointer, self._pointer, error), error)
                self._system = ffi.gc(pointer[0], lib.lash_system_destroy)
            return self._system

    def check(self) -> Dict[str, Any]:
        """Counts, degrees of freedom, redundant constraints, and what contact laws will do."""
        system = self._compiled()
        redundant: List[str] = []
        while lib.lash_system_redundant(system, len(redundant)):
            redundant.append(text(lib.lash_system_redundant(system, len(redundant))))
        joints = {}
        for k in range(lib.lash_system_clearance_count(system)):
            info = lib.lash_system_clearance(system, k)
            joints[text(info.joint)] = {
                "law": text(info.law), "friction": text(info.friction), "radial": info.radial,
                "stiffness": info.stiffness, "exponent": info.exponent, "restitution": info.restitution,
                "restitution_asked": info.restitution_asked, "contact_time": info.contact_time,
                "max_force": info.max_force, "warning": text(info.warning) or None}
        return {"bodies": lib.lash_system_body_count(system), "joints": lib.lash_system_joint_count(system),
                "constraints": lib.lash_system_constraint_count(system), "freedoms": lib.lash_system_freedoms(system),
                "mobility": lib.lash_system_mobility(system), "solver": text(lib.lash_system_solver(system)),
                "end": lib.lash_system_end(system), "redundant": redundant, "clearances": joints}

    # -- running
    def _with_run(self, run: Mapping[str, Any]) -> "Model":
        given = {name: value for name, value in run.items() if value is not None}
        return self.set(run=given) if given else self

    def sim(self, **run: Any) -> "Sim":
        """A simulation to step through by hand; keys of the run block as arguments: rtol=1e-10, method="gear"."""
        return Sim(self._with_run(run))

    def run(self, until: Any = None, rtol: Optional[float] = None, method: Optional[str] = None,
            samples: Optional[int] = None, every: Any = None, steps: Optional[bool] = None,
            channels: Optional[Sequence[str]] = None, output: Optional[str] = None,
            progress: Optional[Callable[[float, float], Any]] = None,
            after: Union[Result, "State", bytes, str, os.PathLike, None] = None, **run: Any) -> Result:
        """Computes the motion and returns what was recorded.

        `until` is a time in s or a text ("2 rev of motor"); without `samples`, `every` and `steps` the model
        says what is recorded, and where it does not, every step is. `channels` may have patterns ("slider.*").
        `output` writes an HDF5 file. `progress(time, end)` is called a few times per second; if it returns
        False, the run stops. `after` continues from the end of an earlier run of this machine: its result, its
        HDF5 file, or a saved state. Ctrl-C raises `lash.Interrupted`, a failure `lash.RunError`; both have
        `.result`."""
        model = self._with_run(dict(run, until=until, rtol=rtol, method=method, samples=samples, every=every,
                                    steps=steps))
        sim = Sim(model)
        if after is not None:
            sim.restore(_end_of(after))
            if not sim.time < sim.end:
                raise UsageError(f"the run goes on from t = {sim.time:.9g} s and is to end at {sim.end:.9g} s; "
                                 "give a later `until`")
        result = sim._record(channels, output, progress,
                             lambda path: model.run(channels=channels, output=path, after=after))
        result.state = sim.save()
        return result

    def linearize(self, outputs: Sequence[str] = (), at: Optional[float] = None) -> "Linear":
        """Natural frequencies, damping, modes and A, B, C, D where the model starts, or at a time of its run."""
        sim = self.sim()
        if at is not None and at > sim.time:
            sim.run(at)
        if at is not None and at != sim.time:
            raise UsageError(f"the run {'begins' if at < sim.time else 'ends'} at t = {sim.time:.9g} s: there is no "
                             f"t = {at:.9g} s to linearize at")
        return sim.linearize(outputs)


def load(source: Union[str, os.PathLike, Mapping[str, Any]], **settings: Any) -> Model:
    """Reads a model file, or takes a dict with the same keys. Settings are its parameters: numbers in SI, or texts
    with units: lash.load("flores-2010.yaml", play="0.2 mm", gudgeon="clearance")."""
    words = {name: _word(value) for name, value in settings.items()}
    if isinstance(source, Mapping):
        return Model(json.dumps(source, default=_plain), "model", words)
    path = os.fspath(source)
    try:
        with open(path, encoding="utf-8") as file:
            return Model(file.read(), path, words)
    except (OSError, UnicodeDecodeError):
        # The library says better what is wrong with the file.
        _read(lambda out, options, error: lib.lash_model_load(out, os.fsencode(path), options, error), words)
        raise


def _end_of(after: Any) -> Union["State", bytes]:
    """The state at the end of a run, to continue from."""
    if isinstance(after, (State, bytes)):
        return after
    if isinstance(after, Result):
        if after.state is None:
            raise UsageError("this result has no state to go on from: it was read from a file; give its path")
        return after.state
    error, pointer = new_error(), ffi.new("lash_result **")
    check(lib.lash_result_open(pointer, os.fsencode(after), error), error)
    result = ffi.gc(pointer[0], lib.lash_result_close)
    data, size = ffi.new("void **"), ffi.new("size_t *")
    check(lib.lash_result_state(data, size, result, b"state", error), error)
    if data[0] == ffi.NULL:
        raise UsageError(f"'{os.fspath(after)}' keeps no state to go on from: its run failed, or it is of an "
                         "earlier version")
    try:
        return bytes(ffi.buffer(data[0], size[0]))
    finally:
        lib.free(data[0])


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a model cannot hold a {type(value).__name__}")


class _Run:
    """What the callbacks of a run need."""

    def __init__(self, progress: Optional[Callable[[float, float], Any]], events: Optional[Callable[[Any], Any]] = None):
        self.progress, self.events = progress, events
        self.raised: Optional[BaseException] = None
        self.handle = ffi.new_handle(self)
        self.watch = ffi.new("lashpy_watch *")
        self.watch.user = self.handle
        self.control = ffi.new("lash_run_control *")
        self.control.progress, self.control.user = ffi.addressof(lib, "lashpy_progress"), self.watch
        if events:
            self.control.event = ffi.addressof(lib, "lashpy_event_of_watch")


@ffi.def_extern(error=False, onerror=lambda kind, value, trace: _stop(value))
def lashpy_look(user: Any, time: float, end: float) -> bool:
    run: _Run = ffi.from_handle(user)
    try:
        return run.raised is None and (run.progress is None or run.progress(time, end) is not False)
    except BaseException as raised:  # also KeyboardInterrupt, which arrives here
        run.raised = raised
        return False


_pending: List[BaseException] = []


def _stop(value: BaseException) -> None:
    _pending.append(value)


@ffi.def_extern()
def lashpy_event(user: Any, event: Any) -> None:
    run: _Run = ffi.from_handle(user)
    try:
        if run.events and run.raised is None:
            run.events(event_table([event_row(event)])[0])
    except BaseException as raised:
        run.raised = raised


class State:
    """Everything that changes in a simulation, kept: `bytes(state)` to store it."""

    def __init__(self, data: bytes):
        self._data = data

    def __bytes__(self) -> bytes:
        return self._data


class Sim:
    """A simulation: `step()` takes one accepted step, `run(t)` runs to a time; `sim["gudgeon.fn"]` is a value."""

    def __init__(self, model: Model):
        system, error, pointer = model._compiled(), new_error(), ffi.new("lash_sim **")
        check(lib.lash_sim_create(pointer, system, error), error)
        self._take(model, system, ffi.gc(pointer[0], lib.lash_sim_destroy))

    def _take(self, model: Optional[Model], system: Any, pointer: Any) -> "Sim":
        self.model, self._system, self._pointer, self._error = model, system, pointer, new_error()
        self._index: Dict[str, int] = {}
        self._forces: Dict[str, Any] = {}
        self._stepped: List[tuple] = []
        return self

    def _leave(self) -> None:
        """The simulation belongs to somebody else and ends: what is left asks nothing."""
        self._pointer = self._system = ffi.NULL
        self._index = {}

    def _check(self, status: int) -> int:
        for force in self._forces.values():
            if force.raised is not None:
                raised, force.raised = force.raised, None
                raise raised
        return check(status, self._error)

    # -- values
    @property
    def time(self) -> float:
        """s"""
        return lib.lash_sim_time(self._pointer)

    @property
    def end(self) -> float:
        """s, from the model; NaN where it gives none."""
        return lib.lash_system_end(self._system)

    @property
    def channels(self) -> List[str]:
        return [text(lib.lash_sim_channel_name(self._pointer, k))
                for k in range(lib.lash_sim_channel_count(self._pointer))]

    def meaning(self, channel: str) -> str:
        """What a channel is, in a few words."""
        return text(lib.lash_sim_channel_meaning(self._pointer, self._find(channel)))

    def unit(self, channel: str) -> str:
        return text(lib.lash_sim_channel_unit(self._pointer, self._find(channel)))

    def _find(self, name: str) -> int:
        if name not in self._index:
            index = lib.lash_sim_find_channel(self._pointer, name.encode())
            if index == ffi.cast("size_t", -1):
                raise no_channel(name, self.channels)
            self._index[name] = int(index)
        return self._index[name]

    def __getitem__(self, channel: str) -> float:
        return lib.lash_sim_value(self._pointer, self._find(channel))

    @property
    def summary(self) -> Dict[str, Any]:
        return summary_of(self._pointer)

    @property
    def events(self) -> np.ndarray:
        """Events of the last call of `step` or `run`."""
        return event_table(self._stepped)

    # -- stepping
    def step(self, limit: Optional[float] = None) -> bool:
        """One accepted step, not beyond `limit` (s; default: the model's end). False: that time has been reached, or
        a lost contact (`stop_at_loss`) ends the run."""
        until = limit if limit is not None else self.end
        status = self._check(lib.lash_sim_step(self._pointer, math.inf if math.isnan(until) else until, self._error))
        count = ffi.new("size_t *")
        events = lib.lash_sim_events(count, self._pointer)
        self._stepped = [event_row(events[k]) for k in range(count[0])]
        return status == lib.LASH_OK

    def run(self, until: Optional[float] = None, progress: Optional[Callable[[float, float], Any]] = None) -> "Sim":
        """Continues to a time, s; `events` then has the events on the way."""
        seen: List[tuple] = []
        control = _Run(progress, lambda event: seen.append(event.item()))
        end = self.end if until is None else float(until)
        status = lib.lash_sim_run_until(self._pointer, end, ffi.NULL, control.control, self._error)
        self._stepped = seen
        self._finish(status, control, None)
        return self

    def _finish(self, status: int, control: _Run, result: Optional[Result]) -> None:
        if _pending:
            control.raised = control.raised or _pending.pop()
        if isinstance(control.raised, KeyboardInterrupt):
            raise Interrupted(f"stopped at t = {self.time:.9g} s", result)
        if control.raised is not None:
            raise control.raised
        try:
            self._check(status)
        except RunError as error:
            error.result = result
            raise

    def _record(self, channels: Optional[Sequence[str]], output: Optional[str],
                progress: Optional[Callable[[float, float], Any]], again: Any) -> Result:
        run = lib.lash_model_run(self.model._pointer)
        uniform = math.isfinite(run.samples) or math.isfinite(run.every)
        options = ffi.new("lash_record_options *")
        kept = [ffi.new("char[]", name.encode()) for name in channels or ()]
        names = ffi.new("char *[]", kept)
        if channels is not None:
            options.channels, options.channel_count = ffi.cast("const char *const *", names), len(kept)
        options.samples = int(run.samples) if math.isfinite(run.samples) else 0
        options.every, options.peaks = run.every, True
        path = os.fspath(output) if output is not None else None
        options.steps = bool(run.steps) or not uniform
        pointer = ffi.new("lash_record **")
        self._check(lib.lash_record_create(pointer, self._pointer, options, self._error))
        record = ffi.gc(pointer[0], lib.lash_record_destroy)
        self._check(lib.lash_record_to_memory(record, self._error))
        if output is not None:
            self._check(lib.lash_record_to_hdf5(record, os.fsencode(output), self._error))
        control = _Run(progress)
        status = lib.lash_sim_run(self._pointer, record, control.control, self._error)
        failure = ffi.new("lash_error *", self._error[0])
        summary = ffi.new("lash_summary *", lib.lash_sim_summary(self._pointer))
        if output is not None and status >= 0:
            self._check(lib.lash_record_keep_state(record, self._pointer, self._error))
        if status not in (lib.LASH_ERROR_USAGE, lib.LASH_ERROR_MODEL):
            self._check(lib.lash_record_finish(record, summary, self._error))
        about = {"title": self.model.title, "model": self.model.text, "version": text(lib.lash_version()),
                 "settings": "".join(f"{k}={v}\n" for k, v in self.model.settings.items())}
        result = of_record(record, self._pointer, about, again, path)
        self._error[0] = failure[0]
        self._finish(status, control, result)
        return result

    # -- from outside
    @property
    def inputs(self) -> Dict[str, float]:
        """Components of forces that can be set, by name."""
        count = lib.lash_sim_input_count(self._pointer)
        return {text(lib.lash_sim_input_name(self._pointer, k)): lib.lash_sim_input(self._pointer, k)
                for k in range(count)}

    def set_input(self, name: str, value: float) -> None:
        """Sets an input of the model, or adds `value` (N, N m) to a component of a force, from now on:
        sim.set_input("motor.torque", 2.5)."""
        index = lib.lash_sim_find_input(self._pointer, name.encode())
        if index == ffi.cast("size_t", -1):
            raise KeyError(f"no input '{name}'; there are {', '.join(self.inputs) or 'none'}")
        self._check(lib.lash_sim_set_input(self._pointer, index, float(value), self._error))

    def force(self, name: str, function: Optional[Callable[[float, "Motion"], Any]]) -> None:
        """A function of time and of the motion of the point as a force: function(t, motion) → components. It is
        called in every evaluation and must be smooth. None removes it."""
        call = _Force(function) if function else None
        before = self._forces.pop(name, None)
        if call:
            self._forces[name] = call
        self._check(lib.lash_sim_set_force(self._pointer, name.encode(), lib.lashpy_force if call else ffi.NULL,
                                           call.handle if call else ffi.NULL, self._error))
        del before  # the library may have called it until now

    # -- state
    def save(self) -> State:
        """The state, for `restore`, also in another Sim of the same model."""
        pointer, data, size = ffi.new("lash_state **"), ffi.new("void **"), ffi.new("size_t *")
        self._check(lib.lash_state_create(pointer, self._pointer, self._error))
        state = ffi.gc(pointer[0], lib.lash_state_destroy)
        self._check(lib.lash_state_write(data, size, state, self._pointer, self._error))
        try:
            return State(bytes(ffi.buffer(data[0], size[0])))
        finally:
            lib.free(data[0])

    def restore(self, state: Union[State, bytes]) -> None:
        data, pointer = bytes(state), ffi.new("lash_state **")
        self._check(lib.lash_state_create(pointer, self._pointer, self._error))
        own = ffi.gc(pointer[0], lib.lash_state_destroy)
        self._check(lib.lash_state_read(own, self._pointer, data, len(data), self._error))
        self._check(lib.lash_sim_restore(self._pointer, own, self._error))

    @property
    def coordinates(self) -> np.ndarray:
        """Positions, then velocities, that are integrated."""
        values = np.empty(lib.lash_sim_coordinate_count(self._pointer))
        lib.lash_sim_coordinates(ffi.from_buffer("double[]", values), self._pointer)
        return values

    @coordinates.setter
    def coordinates(self, values: Any) -> None:
        self._check(lib.lash_sim_set_coordinates(self._pointer, self._coordinates(values), self._error))

    def _coordinates(self, values: Any) -> Any:
        array = np.ascontiguousarray(values, dtype=float)
        if array.shape != (lib.lash_sim_coordinate_count(self._pointer),):
            raise UsageError(f"there are {lib.lash_sim_coordinate_count(self._pointer)} coordinates, not "
                             f"{array.shape}", "ERROR_USAGE")
        return ffi.from_buffer("double[]", array)

    def rates(self, time: float, coordinates: Any) -> np.ndarray:
        """f(t, y): rates of the coordinates."""
        out = np.empty(lib.lash_sim_coordinate_count(self._pointer))
        self._check(lib.lash_sim_rates(ffi.from_buffer("double[]", out), self._pointer, time,
                                       self._coordinates(coordinates), self._error))
        return out

    def jacobian(self, time: float, coordinates: Any) -> np.ndarray:
        """∂f/∂y"""
        n = lib.lash_sim_coordinate_count(self._pointer)
        out = np.empty((n, n))
        self._check(lib.lash_sim_jacobian(ffi.from_buffer("double[]", out), self._pointer, time,
                                          self._coordinates(coordinates), self._error))
        return out

    def gaps(self, time: float, coordinates: Any) -> np.ndarray:
        """The event functions: penetration of every contact, m; negative: a gap."""
        out = np.empty(lib.lash_system_clearance_count(self._system))
        self._check(lib.lash_sim_gaps(ffi.from_buffer("double[]", out), self._pointer, time,
                                      self._coordinates(coordinates), self._error))
        return out

    def linearize(self, outputs: Sequence[str] = ()) -> "Linear":
        """The linearised equations at the present state; outputs are channels."""
        return Linear(self, outputs)


@dataclass(frozen=True)
class Motion:
    """The point where a force acts, in ground axes: m, m/s, rad/s; `angle` (rad) in the plane."""
    position: Tuple[float, float, float]
    velocity: Tuple[float, float, float]
    angular_velocity: Tuple[float, float, float]
    angle: float


class _Force:
    def __init__(self, function: Callable[[float, Motion], Any]):
        self.function = function
        self.raised: Optional[BaseException] = None
        self.handle = ffi.new_handle(self)


@ffi.def_extern()
def lashpy_force(components: Any, user: Any, time: float, motion: Any) -> None:
    force: _Force = ffi.from_handle(user)
    try:
        at = Motion(tuple(motion.position), tuple(motion.velocity), tuple(motion.angular_velocity), motion.angle)
        values = force.function(time, at)
        for k, value in enumerate(np.atleast_1d(values)):
            components[k] = value
    except BaseException as raised:
        force.raised = force.raised or raised
        components[0] = math.nan  # the run ends there


class Linear:
    """ẋ = A x + B u, z = C x + D u about a state: `A`, `B`, `C`, `D`; `inputs` and `outputs` by name; `modes`, a list
    of dicts with frequency and natural (Hz), damping, eigenvalue and shape by coordinate."""

    def __init__(self, sim: Sim, outputs: Sequence[str]):
        error, pointer = sim._error, ffi.new("lash_linear **")
        kept = [ffi.new("char[]", name.encode()) for name in outputs]
        names = ffi.new("char *[]", kept)
        sim._check(lib.lash_linear_create(pointer, sim._pointer, ffi.cast("const char *const *", names), len(kept),
                                          error))
        linear = ffi.gc(pointer[0], lib.lash_linear_destroy)
        self.inputs, self.outputs = list(sim.inputs), list(outputs)
        self.A, self.B, self.C, self.D = (self._matrix(linear, letter) for letter in (b"A", b"B", b"C", b"D"))
        self.coordinates: List[str] = []
        while lib.lash_linear_coordinate_name(linear, len(self.coordinates)):
            self.coordinates.append(text(lib.lash_linear_coordinate_name(linear, len(self.coordinates))))
        self.modes: List[Dict[str, Any]] = []
        mode, n = ffi.new("lash_mode *"), len(self.coordinates)
        real, imaginary = ffi.new("double[]", max(n, 1)), ffi.new("double[]", max(n, 1))
        while lib.lash_linear_mode(mode, linear, len(self.modes)):
            check(lib.lash_linear_shape(real, imaginary, linear, len(self.modes), error), error)
            self.modes.append({"frequency": mode.frequency, "natural": mode.natural, "damping": mode.damping,
                               "eigenvalue": complex(mode.real, mode.imaginary),
                               "shape": {name: complex(real[k], imaginary[k])
                                         for k, name in enumerate(self.coordinates)}})

    @staticmethod
    def _matrix(linear: Any, letter: bytes) -> np.ndarray:
        rows, columns = ffi.new("size_t *"), ffi.new("size_t *")
        values = lib.lash_linear_matrix(rows, columns, linear, letter)
        if not rows[0] * columns[0]:
            return np.zeros((rows[0], columns[0]))
        data = ffi.buffer(values, rows[0] * columns[0] * 8)
        return np.frombuffer(data, dtype=float).reshape(rows[0], columns[0]).copy()
