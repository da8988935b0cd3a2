"""Values that a pass writes to an item, by a declared transform or by a user's Python function."""

import hashlib
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, TypeAlias
from uuid import UUID

from keywright.engines.contract.pages import Pages, StoredItem, Work
from keywright.errors import UsageError, quoted
from keywright.ir.apply_transform import REMOVED, ChangedValues, Poison, applied, at, is_same, reason_of
from keywright.ir.json import Json, canonical
from keywright.ir.text_form import UnsupportedValue
from keywright.ir.transform import describe
from keywright.record import Record

Decide: TypeAlias = Callable[[StoredItem], ChangedValues | None]
"""New values of an item, empty if only the version changes; None if the item stays as it is. Raises Poison."""

PLAIN = (str, bytes, bool, int, float, Decimal, datetime, date, time, timedelta, UUID)
"""Types of scalar values that some store can hold."""

PARTS = ("READS", "WRITES", "transform")
"""Names that a backfill module must define."""


class PythonTransform(Record):
    """A transform in Python."""

    reads: tuple[str, ...]
    """Stored paths that the function receives."""
    writes: tuple[str, ...]
    """Stored paths that the function may return values for."""
    call: Callable[[dict[str, Any]], dict[str, Any] | None]
    """The function: returns values for WRITES, with None for a removed value; None leaves the item as it is."""
    text: str
    """Source of the module, to detect changes."""


def code(text: str, file: str) -> PythonTransform:
    """Transform of a backfill module; UsageError if one of the three names is missing.

    text: the module's source, which is executed here. file: its path, for tracebacks and messages.
    """
    names: dict[str, Any] = {"__name__": "backfill", "__file__": file}
    exec(compile(text, file, "exec"), names)
    if missing := [name for name in PARTS if name not in names]:
        raise UsageError(f"{file}: {quoted(missing)} is missing", f"a backfill module defines {', '.join(PARTS)}")
    for name in PARTS[:2]:
        names_in_order = names[name]
        if not isinstance(names_in_order, (tuple, list)) or not all(isinstance(path, str) for path in names_in_order):
            raise UsageError(f"{file}: {name} is not a tuple of names", f'write {name} = ("ship_to",)')
    return PythonTransform(tuple(names["READS"]), tuple(names["WRITES"]), names["transform"], text)


def hash_of(work: Work, code: PythonTransform | None) -> str:
    """Hash of a transform; a pass that has begun with one transform must not continue with another."""
    text: Json = code.text if code else describe(work.transform) if work.transform else ""
    identity: dict[str, Json] = {"transform": text, "reads": list(work.reads), "writes": list(work.writes)}
    identity |= {"object": work.object, "version": work.version}
    return f"sha256:{hashlib.sha256(canonical(identity).encode()).hexdigest()}"


def decide(work: Work, pages: Pages, code: PythonTransform | None) -> Decide:
    """Function that computes the new values of an item; UsageError for an ambiguous pass."""
    transform = work.transform
    if (transform is None) == (code is None):
        raise UsageError("a pass needs either a declared transform or one in Python", "write one of them")
    if code is not None:
        return lambda item: _called(code, work, pages, item)
    assert transform is not None
    if work.version is None and (path := transform.only_once):
        raise UsageError(
            f'the transform would change "{path}" of an item again if it ran twice, and items have no schema version',
            "raise schema_version, which is then written with each item",
        )

    changes, has_version = applied(transform, pages.form), work.version is not None

    def declared(item: StoredItem) -> ChangedValues | None:
        values = changes(item.values)
        return {} if values is None and has_version else values

    return declared


def _called(code: PythonTransform, work: Work, pages: Pages, item: StoredItem) -> ChangedValues | None:
    item_values = {path: value for path in code.reads if (value := at(item.values, path)) is not REMOVED}
    try:
        returned: Any = code.call(item_values)
    except Exception as error:
        raise Poison(f"{type(error).__name__} in transform, line {_line(error)}") from error
    if returned is None:
        return None
    if not isinstance(returned, Mapping):
        raise UsageError(f"transform returned a {type(returned).__name__}", "return a dict of WRITES, or None")
    for name in returned:
        if name not in code.writes:
            quoted_name = f'"{name}"' if str(name) in code.text else "a name that its code does not contain"
            raise UsageError(
                f"transform returned {quoted_name}, which is not in WRITES", f"WRITES contains {quoted(code.writes)}"
            )
    changed: ChangedValues = {}
    for path, value in returned.items():
        try:
            if not _is_plain(value):
                raise UnsupportedValue(f"a {type(value).__name__} cannot be stored, or contains such a value")
            new = REMOVED if value is None else pages.form(path, value)
        except (TypeError, ValueError, OverflowError, ArithmeticError) as error:
            raise Poison(f'"{path}": {reason_of(error)}') from error
        if not is_same(new, at(item.values, path)):
            changed[path] = new
    return changed if changed or work.stamp is not None else None


def _is_plain(value: Any) -> bool:
    """Whether a value and all values in it are of Python's built-in data types."""
    if isinstance(value, Mapping):
        return all(isinstance(name, str) and _is_plain(part) for name, part in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, PLAIN)


def _line(error: BaseException) -> int:
    """Line of the user's module that failed."""
    trace, line = error.__traceback__, 0
    while trace is not None:
        line, trace = trace.tb_lineno, trace.tb_next
    return line
