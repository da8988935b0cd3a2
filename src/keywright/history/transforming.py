"""What a pass writes into an item: by a declared transform, or by a user's Python that sees only what it declares."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from keywright.engines.pages import Item, Pages, Work
from keywright.errors import UsageError, quoted
from keywright.ir.json import Json, canonical
from keywright.ir.transform import describe
from keywright.ir.transformed import REMOVED, Poison, Values, applied, at, is_same

Decide: TypeAlias = Callable[[Item], Values | None]
"""The new values of an item, perhaps none but the version; None where it stays as it is. Raises Poison."""

PARTS = ("READS", "WRITES", "transform")
"""The names that a backfill module must have."""


@dataclass(frozen=True, slots=True)
class Code:
    """A transform in Python."""

    reads: tuple[str, ...]
    """Stored paths that it is given."""
    writes: tuple[str, ...]
    """Stored paths that it may give values for."""
    call: Callable[[dict[str, Any]], dict[str, Any] | None]
    """The function: values for WRITES, None for a value that goes; None leaves the item as it is."""
    text: str
    """Its source, by which a change of it is noticed."""


def code(text: str, file: str) -> Code:
    """The transform of a backfill module; UsageError where it lacks one of its three names.

    text: the module's source, which is run here. file: its path, for tracebacks and messages.
    """
    names: dict[str, Any] = {"__name__": "backfill", "__file__": file}
    exec(compile(text, file, "exec"), names)
    if missing := [name for name in PARTS if name not in names]:
        raise UsageError(f"{file}: there is no {quoted(missing)}", f"a backfill module has {', '.join(PARTS)}")
    for name in PARTS[:2]:
        value = names[name]
        if not isinstance(value, (tuple, list)) or not all(isinstance(one, str) for one in value):
            raise UsageError(f"{file}: {name} is no tuple of names", f'write {name} = ("ship_to",)')
    return Code(tuple(names["READS"]), tuple(names["WRITES"]), names["transform"], text)


def hash_of(work: Work, code: Code | None) -> str:
    """What a transform is known by: a pass that has begun with one may not go on with another."""
    told: Json = code.text if code else describe(work.transform) if work.transform else ""
    by: dict[str, Json] = {"transform": told, "reads": list(work.reads), "writes": list(work.writes)}
    by |= {"object": work.object, "version": work.version}
    return f"sha256:{hashlib.sha256(canonical(by).encode()).hexdigest()}"


def decide(work: Work, pages: Pages, code: Code | None) -> Decide:
    """How it is decided what is written into an item; UsageError for a pass whose meaning is not clear."""
    transform = work.transform
    if (transform is None) == (code is None):
        raise UsageError("a pass has either a declared transform or one in Python", "give one of them")
    if code is not None:
        return lambda item: _called(code, work, pages, item)
    assert transform is not None
    if work.version is None and (path := transform.only_once):
        raise UsageError(
            f'the transform would change "{path}" again if it met an item twice, and there is no version to tell',
            "raise schema_version, which is then written with each item",
        )

    changes, has_version = applied(transform, pages.form), work.version is not None

    def declared(item: Item) -> Values | None:
        found = changes(item.values)
        return {} if found is None and has_version else found

    return declared


def _called(code: Code, work: Work, pages: Pages, item: Item) -> Values | None:
    given = {path: value for path in code.reads if (value := at(item.values, path)) is not REMOVED}
    try:
        told: Any = code.call(given)
    except Exception as error:
        raise Poison(f"{type(error).__name__} in transform, line {_line(error)}") from error
    if told is None:
        return None
    if not isinstance(told, Mapping):
        raise UsageError(f"transform returned a {type(told).__name__}", "return a dict of WRITES, or None")
    for name in told:
        if name not in code.writes:
            raise UsageError(
                f'transform returned "{name}", which is not in WRITES', f"WRITES has {quoted(code.writes)}"
            )
    found: Values = {}
    for path, value in told.items():
        try:
            new = REMOVED if value is None else pages.form(path, value)
        except (ValueError, OverflowError, ArithmeticError) as error:
            raise Poison(f'"{path}": {error}') from error
        if not is_same(new, at(item.values, path)):
            found[path] = new
    return found if found or work.version is not None else None


def _line(error: BaseException) -> int:
    """The line of the user's module at which it failed."""
    trace, line = error.__traceback__, 0
    while trace is not None:
        line, trace = trace.tb_lineno, trace.tb_next
    return line
