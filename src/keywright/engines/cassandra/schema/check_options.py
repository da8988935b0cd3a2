"""Checks that table options have values that they accept, and that `settings=` names options of a known version."""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta

from keywright.engines.interface import Rejection
from keywright.errors import did_you_mean
from keywright.ir.binding import Binding
from keywright.ir.text import counted

from ..declare.options import CqlTable
from .capabilities import (
    CACHING,
    COMPACTION_OPTIONS,
    COMPRESSION_OPTIONS,
    COMPRESSORS,
    NICKNAMES,
    REMOVED_OPTIONS,
    STRATEGIES,
    TABLE_OPTIONS,
    WINDOW_UNITS,
    TableOption,
)
from .cql import is_misread
from .table_options import short_class

Problem = tuple[str, str, str]
"""Code, sentence and help line of a compile error."""

_WHOLE = re.compile(r"-?\d+\Z")
_NUMBER = re.compile(r"-?\d+(\.\d+)?\Z")

_KINDS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "int": ((int,), "a whole number"),
    "seconds": ((int,), "a whole number"),
    "float": ((int, float), "a number"),
    "bool": ((bool,), "True or False"),
    "text": ((str,), "text"),
}
"""Classes of the values of each kind except maps, and their words."""


def check_options(binding: Binding[CqlTable]) -> Iterator[Rejection]:
    """Compile errors in the options of a table: those that are arguments, then those of `settings=`."""
    for code, problem, help in _problems(binding.spec):
        yield Rejection(code, problem, help, binding.name)


def _problems(table: CqlTable) -> Iterator[Problem]:
    for option in TABLE_OPTIONS.values():
        if option.word:
            yield from _argument(option, getattr(table, option.word))
    for name, value in table.settings.items():
        yield from _setting(table, name, value)


def _argument(option: TableOption, value: object) -> Iterator[Problem]:
    if isinstance(value, timedelta):
        yield from _duration(option, value)
    elif value is not None:
        yield from _scalar(option.word, option, value)


def _duration(option: TableOption, time: timedelta) -> Iterator[Problem]:
    if time % timedelta(seconds=1):
        help = f"such as {option.word}=timedelta(seconds={max(1, round(time.total_seconds()))})"
        yield "CAS107", f"{option.word}={time} is not a number of whole seconds", help
        return
    seconds = time.total_seconds()
    if option.least is not None and option.most is not None and not option.least <= seconds <= option.most:
        size, bounds = counted(seconds, "second", spec=".0f"), f"{option.least} to {option.most}"
        yield "CAS107", f"{option.word} is {size}, Cassandra allows {bounds}", option.advice


def _setting(table: CqlTable, name: str, value: object) -> Iterator[Problem]:
    option = TABLE_OPTIONS.get(name)
    if name in REMOVED_OPTIONS:
        yield "CAS111", f'the table option "{name}" was removed in Cassandra {REMOVED_OPTIONS[name]}', "remove it"
    elif option is None:
        yield "CAS111", f'no known version has a table option "{name}"', did_you_mean(name, TABLE_OPTIONS)
    elif option.word:
        example = "timedelta(...)" if option.kind == "seconds" else "..."
        yield "CAS111", f'the table option "{name}" has its own argument', f"write {option.word}={example}"
    elif option.kind != "map":
        yield from _scalar(name, option, value)
    elif not isinstance(value, Mapping):
        yield "CAS111", f'the table option "{name}" is {value!r}, it takes a mapping', 'write {"class": ...}'
    elif getattr(table, name) != getattr(CqlTable, name):
        yield "E0503", f'{name}= and settings["{name}"] set the same option', "remove one of them"
    else:
        texts = {key: str(item).lower() if isinstance(item, bool) else str(item) for key, item in value.items()}
        yield from _MAPS[name](texts)


def _scalar(name: str, option: TableOption, value: object) -> Iterator[Problem]:
    classes, words = _KINDS[option.kind]
    if not isinstance(value, classes) or (isinstance(value, bool) and option.kind != "bool"):
        yield "CAS111", f'the table option "{name}" is {value!r}, it takes {words}', "correct the value"
    elif option.least is not None and isinstance(value, (int, float)) and value < option.least:
        yield "CAS111", f'the table option "{name}" is {value}, it takes {option.least} or more', "raise it"
    elif option.most is not None and isinstance(value, (int, float)) and value > option.most:
        yield "CAS111", f'the table option "{name}" is {value}, it takes {option.most} or less', "lower it"
    elif option.kind == "text" and is_misread(str(value)):
        help = "cqlsh reads it as a comment even in quotes: remove it"
        yield "CAS111", f'the table option "{name}" contains the start or end of a comment', help
    elif option.pattern and not re.fullmatch(option.pattern, str(value), re.IGNORECASE):
        yield "CAS111", f'the table option "{name}" does not accept "{value}"', f'such as "{option.default}"'


def _compaction(options: Mapping[str, str]) -> Iterator[Problem]:
    name = short_class(options.get("class", ""))
    if not name:
        help = 'add "class": one of ' + ", ".join(STRATEGIES)
        yield "CAS007", 'settings["compaction"] names no class', help
        return
    if name not in STRATEGIES:
        full_name = NICKNAMES.get(name.upper())
        help = f'did you mean "{full_name}"?' if full_name else did_you_mean(name, STRATEGIES)
        yield "CAS007", f'there is no compaction strategy "{name}"', help
        return
    defaults = {**COMPACTION_OPTIONS, **STRATEGIES[name]}
    for key, value in options.items():
        if key == "class":
            continue
        if key not in defaults:
            yield "CAS007", f'{name} has no option "{key}"', did_you_mean(key, defaults)
        elif key == "compaction_window_unit" and value not in WINDOW_UNITS:
            yield "CAS007", f'compaction_window_unit is "{value}"', f"it takes {', '.join(WINDOW_UNITS)}"
        elif not _is_like(defaults[key], value):
            yield "CAS007", f'{key} of {name} is "{value}"', f'it takes a value such as "{defaults[key]}"'


def _is_like(default: str, value: str) -> bool:
    """Whether a value has the kind of the server's default: a boolean, a whole number, a number, or any text."""
    if default in ("true", "false"):
        return value in ("true", "false")
    if _WHOLE.match(default):
        return bool(_WHOLE.match(value))
    return bool(_NUMBER.match(value)) if _NUMBER.match(default) else True


def _compression(options: Mapping[str, str]) -> Iterator[Problem]:
    if options.get("enabled") == "false":
        if len(options) > 1:
            yield "CAS111", 'settings["compression"] is off and has other options', 'write compression="none"'
        return
    name = short_class(options.get("class", ""))
    if name not in COMPRESSORS:
        yield "CAS111", f'there is no compressor "{name}"', did_you_mean(name, COMPRESSORS)
        return
    names = (*COMPRESSION_OPTIONS, *COMPRESSORS[name])
    for key in options:
        if key not in names:
            yield "CAS111", f'{name} has no option "{key}"', did_you_mean(key, names)


def _caching(options: Mapping[str, str]) -> Iterator[Problem]:
    for key, value in options.items():
        if key not in CACHING:
            yield "CAS111", f'settings["caching"] has no option "{key}"', did_you_mean(key, CACHING)
        elif value.upper() not in ("ALL", "NONE") and not (key == "rows_per_partition" and value.isdigit()):
            yield "CAS111", f'caching: {key} is "{value}"', 'it takes "ALL" or "NONE"'


_MAPS = {"compaction": _compaction, "compression": _compression, "caching": _caching}
