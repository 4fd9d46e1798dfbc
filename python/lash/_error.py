# SPDX-License-Identifier: MIT
"""Errors of the library as exceptions, and texts of C."""
from __future__ import annotations

import math
from typing import Any, List, Optional, Sequence

from ._lash import ffi, lib


def text(pointer: Any) -> str:
    """A C text, "" for NULL."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


def no_channel(name: str, names: Sequence[str]) -> KeyError:
    """The error for an unknown channel; it proposes the one that was probably meant."""
    kept = [ffi.new("char[]", n.encode()) for n in names]
    near = text(lib.lashpy_nearest_channel(name.encode(), ffi.new("char *[]", kept + [ffi.NULL])))
    return KeyError(f"no channel '{name}'" + (f"; did you mean '{near}'?" if near else ""))


class Error(Exception):
    """What went wrong, and where: `status` ("ERROR_MODEL"), `message`, `file`, `line`, `column`, `excerpt`,
    `time` (s) and `object` (a joint, a body) where they apply, else None. `mistakes` lists all mistakes of a model."""

    def __init__(self, message: str, status: str = "", file: Optional[str] = None, line: Optional[int] = None,
                 column: Optional[int] = None, excerpt: Optional[str] = None, time: Optional[float] = None,
                 object: Optional[str] = None):
        place = f"{file}:{line}:{column}: " if file and line else f"{file}: " if file else ""
        super().__init__(place + message)
        self.message, self.status = message, status
        self.file, self.line, self.column, self.excerpt = file, line, column, excerpt
        self.time, self.object = time, object
        self.mistakes: List[Error] = []


class UsageError(Error, ValueError):
    """A call that makes no sense: an unknown channel, a value out of range."""


class ModelError(Error, ValueError):
    """A model that is wrong, or a mechanism that cannot be closed."""


class FileError(Error, OSError):
    """A file or a library that cannot be read or written."""


class RunError(Error, ArithmeticError):
    """A run that failed, or whose numbers cannot be trusted. `result` has what was recorded, if anything."""

    result: Any = None


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run: `result` has what was recorded until then."""

    def __init__(self, message: str, result: Any = None):
        super().__init__(message)
        self.result = result


_kinds = {"ERROR_USAGE": UsageError, "ERROR_MODEL": ModelError, "ERROR_ASSEMBLY": ModelError, "ERROR_IO": FileError}


def exception(error: Any) -> Error:
    """The exception for a lash_error."""
    status = text(lib.lash_status_name(error.status))
    kind = _kinds.get(status, RunError)
    time = float(error.time)
    return kind(text(error.message), status, text(error.file) or None, error.line or None, error.column or None,
                text(error.excerpt) or None, None if math.isnan(time) or time == 0 and kind is not RunError else time,
                text(error.object) or None)


def new_error() -> Any:
    error = ffi.new("lash_error *")
    error.time = math.nan
    return error


def check(status: int, error: Any) -> int:
    """Raises the error that a call has reported; returns the status of normal stops."""
    if status >= 0:
        return status
    if status == lib.LASH_ERROR_MEMORY:
        raise MemoryError("Lash is out of memory")
    error.status = status
    raise exception(error)
