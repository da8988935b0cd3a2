"""Compares options with their annotations: unknown, missing and wrong options are errors without a type checker too."""

import types
import typing
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any, Literal

from keywright.ir.text import is_one_line

from .wording import given_twice, meant, missing, not_a_name, not_taken, out_of_range, too_many, unknown

Test = Callable[[Any], bool]
Problem = tuple[str, str, str]
"""Code, problem and help line."""

SUBJECT: Any = object()
"""The default that marks a declaration's positional parameters."""

COUNTS = frozenset((
    "avg", "max", "distinct", "max_referrers", "expected", "schema_version", "generation", "from_generation", "limit",
    "fan_out", "batch", "burst", "read_copies", "max_length", "max_deliveries", "keep", "segments",
))  # fmt: skip
"""Options that are counts, of at least 1."""

SHARES = frozenset(("active",))
"""Options that are a share, up to 1."""

DURATIONS = frozenset(("ttl", "window", "span", "cache_ttl", "claim_after", "per", "keep"))
"""Options that are durations above 0; delays such as `Ttl(after=)` may be 0."""


class DeclarationOptions:
    """The options of one class of declaration."""

    def __init__(self, owner: str, kinds: dict[str, Any], defaults: dict[str, Any], own: list[str]) -> None:
        self.owner, self.kinds, self.own = owner, kinds, own
        self.subjects = [name for name, default in defaults.items() if default is SUBJECT]
        self.defaults = {name: default for name, default in defaults.items() if default is not SUBJECT}
        self.required = kinds.keys() - self.defaults.keys()
        self._tests: dict[str, Test] = {}

    def is_accepted(self, name: str, value: object) -> bool:
        """Whether the value has the option's type."""
        if name not in self._tests:
            self._tests[name] = _test(self.kinds[name])
        return self._tests[name](value)


def problems_with(
    options: DeclarationOptions, values: Mapping[str, object], subjects: int, named: Mapping[str, object]
) -> list[Problem]:
    """The errors of the values, of which the first `subjects` are positional arguments."""
    problems: list[Problem] = []
    if subjects > len(options.subjects):
        option_names = options.own or [*options.kinds]
        problems.append(("E0504", *too_many(options.owner, options.subjects, subjects, option_names)))
    problems += [("E0504", *given_twice(options.owner, name)) for name in options.subjects[:subjects] if name in named]
    for name, value in values.items():
        if name not in options.kinds:
            problems.append(("E0501", *unknown(options.owner, name, options.kinds, options.own)))
        elif not options.is_accepted(name, value):
            problems.append(("E0503", *not_taken(options.owner, name, *_culprit(options.kinds[name], value))))
        elif range := _expected_range(name, value):
            problems.append(("E0509", *out_of_range(options.owner, name, options.kinds[name], value, range)))
        else:
            problems += (("E0518", *not_a_name(options.owner, name, text)) for text in _names(name, value)
                         if not is_one_line(text))  # fmt: skip
    absent = options.required - values.keys()
    for name in values.keys() - options.kinds.keys():
        absent -= {meant(name, absent)}
    if absent and subjects <= len(options.subjects):  # else its value is among the positional arguments
        problems.append(
            ("E0502", *missing(options.owner, {name: kind for name, kind in options.kinds.items() if name in absent}))
        )
    return problems


def _names(option: str, value: Any) -> list[str]:
    """The names of stored objects in an option: objects by `name`, attributes by the keys of `computed`."""
    if option in ("name", "renamed_from"):
        return [value] if isinstance(value, str) else []
    return list(value) if option == "computed" else []


def _test(kind: Any) -> Test:
    """A predicate for one annotation; annotations that it cannot decide accept every value."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return lambda value: any(value == arg and type(value) is type(arg) for arg in args)
    if origin in (typing.Union, types.UnionType):
        tests = [_test(arg) for arg in args]
        return lambda value: any(test(value) for test in tests)
    if origin is list:
        element = _test(args[0])
        return lambda value: isinstance(value, list) and _all(element, value)
    if origin in (dict, Mapping):
        key, element = map(_test, args)
        return lambda value: isinstance(value, Mapping) and _all(key, value) and _all(element, value.values())
    if origin is type:
        return lambda value: isinstance(value, type)
    if isinstance(origin or kind, type):
        return _instance(origin or kind)
    return lambda value: True


def _all(test: Test, values: Any) -> bool:
    return all(map(test, values))


def _instance(cls: type) -> Test:
    if cls in (int, float):
        return lambda value: isinstance(value, (int, cls)) and not isinstance(value, bool)
    return lambda value: isinstance(value, cls)


def _expected_range(name: str, value: object) -> str | None:
    """The range of the option; None if the value is inside."""
    if isinstance(value, timedelta):
        return "a time longer than 0" if name in DURATIONS and value <= timedelta(0) else None
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    if name in SHARES:
        return None if 0 < value <= 1 else "a share above 0 and up to 1"
    return "1 or more" if name in COUNTS and value < 1 else None


def _culprit(kind: Any, value: Any) -> tuple[Any, Any]:
    """(kind, value) for the message: those of the first wrong element, if both are a list or both a mapping."""
    is_union = typing.get_origin(kind) in (typing.Union, types.UnionType)
    for alternative in typing.get_args(kind) if is_union else (kind,):
        if (container := {list: list, Mapping: dict}.get(typing.get_origin(alternative))) is type(value):
            return next(_wrong(typing.get_args(alternative), value, is_mapping=container is dict), (kind, value))
    return kind, value


def _wrong(kinds: tuple[Any, ...], value: Any, *, is_mapping: bool) -> Iterator[tuple[Any, Any]]:
    """(kind, element) of each wrong element of a list, or key and value of a mapping."""
    for part, elements in zip(kinds, (value, value.values()) if is_mapping else (value,), strict=True):
        test = _test(part)
        yield from ((part, element) for element in elements if not test(element))
