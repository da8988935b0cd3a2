"""Options against their annotated kinds: unknown, missing and wrong ones are found without a type checker too."""

import types
import typing
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Literal

from .wording import given_twice, meant, missing, not_taken, out_of_range, too_many, unknown

Test = Callable[[Any], bool]
Problem = tuple[str, str, str]
"""Code, sentence and help line."""

SUBJECT: Any = object()
"""Stands as default of what a declaration is about."""

COUNTS = frozenset((
    "avg", "max", "distinct", "max_referrers", "expected", "schema_version", "generation", "from_generation", "limit",
    "fan_out", "batch", "read_copies", "max_length", "max_deliveries", "keep",
))  # fmt: skip
"""Options that count something, of which there is at least one."""

SHARES = frozenset(("active",))
"""Options that are a share of the whole."""

DURATIONS = frozenset(("ttl", "window", "span", "cache_ttl", "claim_after", "per", "keep"))
"""Options that last some time; delays such as `Ttl(after=)` may be none."""


class Options:
    """What one class of declaration takes."""

    def __init__(self, owner: str, kinds: dict[str, Any], defaults: dict[str, Any], own: list[str]) -> None:
        self.owner, self.kinds, self.own = owner, kinds, own
        self.subjects = [name for name, default in defaults.items() if default is SUBJECT]
        self.defaults = {name: default for name, default in defaults.items() if default is not SUBJECT}
        self.required = kinds.keys() - self.defaults.keys()
        self._tests: dict[str, Test] = {}

    def fits(self, name: str, value: object) -> bool:
        """Whether the value is of the option's kind."""
        if name not in self._tests:
            self._tests[name] = _test(self.kinds[name])
        return self._tests[name](value)


def problems_with(
    options: Options, given: Mapping[str, object], subjects: int, named: Mapping[str, object]
) -> list[Problem]:
    """Everything that is wrong with the given options, of which the first `subjects` came without keyword."""
    problems: list[Problem] = []
    if subjects > len(options.subjects):
        known = options.own or [*options.kinds]
        problems.append(("E0504", *too_many(options.owner, options.subjects, subjects, known)))
    problems += [("E0504", *given_twice(options.owner, name)) for name in options.subjects[:subjects] if name in named]
    for name, value in given.items():
        if name not in options.kinds:
            problems.append(("E0501", *unknown(options.owner, name, options.kinds, options.own)))
        elif not options.fits(name, value):
            problems.append(("E0503", *not_taken(options.owner, name, *_culprit(options.kinds[name], value))))
        elif range := _range_missed(name, value):
            problems.append(("E0509", *out_of_range(options.owner, name, value, range)))
    absent = options.required - given.keys()
    for name in given.keys() - options.kinds.keys():
        absent -= {meant(name, absent)}
    if absent and subjects <= len(options.subjects):  # else it was given, without its name
        problems.append(("E0502", *missing(options.owner, [name for name in options.kinds if name in absent])))
    return problems


def _test(kind: Any) -> Test:
    """A predicate for one annotation; what it cannot decide, it lets pass."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return lambda value: any(value == arg and type(value) is type(arg) for arg in args)
    if origin in (typing.Union, types.UnionType):
        tests = [_test(arg) for arg in args]
        return lambda value: any(fits(value) for fits in tests)
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


def _all(fits: Test, values: Any) -> bool:
    return all(map(fits, values))


def _instance(cls: type) -> Test:
    if cls in (int, float):
        return lambda value: isinstance(value, (int, cls)) and not isinstance(value, bool)
    return lambda value: isinstance(value, cls)


def _range_missed(name: str, value: object) -> str | None:
    """The values that the option takes, if this one is not among them."""
    if isinstance(value, timedelta):
        return "a time longer than 0" if name in DURATIONS and value <= timedelta(0) else None
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    if name in SHARES:
        return None if 0 < value <= 1 else "a share above 0 and up to 1"
    return "1 or more" if name in COUNTS and value < 1 else None


def _culprit(kind: Any, value: Any) -> tuple[Any, Any]:
    """The kind and value to talk about: of the first wrong element, where a list or mapping is wanted and given."""
    is_union = typing.get_origin(kind) in (typing.Union, types.UnionType)
    for arm in typing.get_args(kind) if is_union else (kind,):
        if typing.get_origin(arm) is list and type(value) is list:
            return _among(arm, value, kind)  # pyright: ignore[reportUnknownArgumentType]
        if typing.get_origin(arm) is Mapping and type(value) is dict:
            return _among(arm, value.values(), kind)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    return kind, value


def _among(arm: Any, elements: Any, kind: Any) -> tuple[Any, Any]:
    wanted = typing.get_args(arm)[-1]
    fits = _test(wanted)
    return next(((wanted, element) for element in elements if not fits(element)), (kind, elements))
