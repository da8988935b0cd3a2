"""Whether what `settings=` says is an option of some known version, with a value that it takes."""

import re
from collections.abc import Iterator, Mapping

from keywright.engines.interface import Refusal
from keywright.errors import did_you_mean
from keywright.ir.binding import Binding

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
from .columns import table_of
from .options import CqlTable
from .tableoptions import short_class

Problem = tuple[str, str, str]
"""Code, sentence and help line."""

_WHOLE = re.compile(r"-?\d+\Z")
_NUMBER = re.compile(r"-?\d+(\.\d+)?\Z")


def check_options(binding: Binding) -> Iterator[Refusal]:
    """What is wrong in the settings of a table."""
    table = table_of(binding)
    for name, value in table.settings.items():
        for code, problem, help in _setting(table, name, value):
            yield Refusal(code, problem, help, binding.name)


def _setting(table: CqlTable, name: str, value: object) -> Iterator[Problem]:
    option = TABLE_OPTIONS.get(name)
    if name in REMOVED_OPTIONS:
        yield "CAS111", f'the table option "{name}" is gone since Cassandra {REMOVED_OPTIONS[name]}', "leave it out"
    elif option is None:
        yield "CAS111", f'no known version has a table option "{name}"', did_you_mean(name, TABLE_OPTIONS)
    elif option.word:
        yield "CAS111", f'the table option "{name}" has a word of its own', f"say {option.word}=timedelta(...)"
    elif option.kind != "map":
        yield from _scalar(name, option, value)
    elif not isinstance(value, Mapping):
        yield "CAS111", f'the table option "{name}" is {value!r}, it takes a mapping', 'write {"class": ...}'
    elif getattr(table, name) != getattr(CqlTable, name):
        yield "E0503", f'{name}= and settings["{name}"] say the same thing', "leave out one of them"
    else:
        texts = {key: str(one).lower() if isinstance(one, bool) else str(one) for key, one in value.items()}
        yield from _MAPS[name](texts)


def _scalar(name: str, option: TableOption, value: object) -> Iterator[Problem]:
    kinds = {"int": (int,), "float": (int, float), "bool": (bool,), "text": (str,), "map": ()}[option.kind]
    words = {"int": "a whole number", "float": "a number", "bool": "True or False", "text": "text", "map": ""}
    if not isinstance(value, kinds) or (isinstance(value, bool) and option.kind != "bool"):
        yield "CAS111", f'the table option "{name}" is {value!r}, it takes {words[option.kind]}', "correct the value"
    elif option.least is not None and isinstance(value, (int, float)) and value < option.least:
        yield "CAS111", f'the table option "{name}" is {value}, it takes {option.least} at the least', "raise it"
    elif option.most is not None and isinstance(value, (int, float)) and value > option.most:
        yield "CAS111", f'the table option "{name}" is {value}, it takes {option.most} at the most', "lower it"
    elif option.pattern and not re.fullmatch(option.pattern, str(value), re.IGNORECASE):
        yield "CAS111", f'the table option "{name}" does not take "{value}"', f'such as "{option.default}"'


def _compaction(given: Mapping[str, str]) -> Iterator[Problem]:
    name = short_class(given.get("class", ""))
    if not name:
        help = 'add "class": one of ' + ", ".join(STRATEGIES)
        yield "CAS007", 'settings["compaction"] names no class', help
        return
    if name not in STRATEGIES:
        right = NICKNAMES.get(name.upper())
        help = f'did you mean "{right}"?' if right else did_you_mean(name, STRATEGIES)
        yield "CAS007", f'there is no compaction strategy "{name}"', help
        return
    known = {**COMPACTION_OPTIONS, **STRATEGIES[name]}
    for key, value in given.items():
        if key == "class":
            continue
        if key not in known:
            yield "CAS007", f'{name} has no option "{key}"', did_you_mean(key, known)
        elif key == "compaction_window_unit" and value not in WINDOW_UNITS:
            yield "CAS007", f'compaction_window_unit is "{value}"', f"it takes {', '.join(WINDOW_UNITS)}"
        elif not _is_like(known[key], value):
            yield "CAS007", f'{key} of {name} is "{value}"', f'it takes a value such as "{known[key]}"'


def _is_like(default: str, value: str) -> bool:
    """Whether a value is of the kind of the server's own: a boolean, a whole number, a number, or any text."""
    if default in ("true", "false"):
        return value in ("true", "false")
    if _WHOLE.match(default):
        return bool(_WHOLE.match(value))
    return bool(_NUMBER.match(value)) if _NUMBER.match(default) else True


def _compression(given: Mapping[str, str]) -> Iterator[Problem]:
    if given.get("enabled") == "false":
        if len(given) > 1:
            yield "CAS111", 'settings["compression"] is off and has other options', 'say compression="none"'
        return
    name = short_class(given.get("class", ""))
    if name not in COMPRESSORS:
        yield "CAS111", f'there is no compressor "{name}"', did_you_mean(name, COMPRESSORS)
        return
    known = (*COMPRESSION_OPTIONS, *COMPRESSORS[name])
    for key in given:
        if key not in known:
            yield "CAS111", f'{name} has no option "{key}"', did_you_mean(key, known)


def _caching(given: Mapping[str, str]) -> Iterator[Problem]:
    for key, value in given.items():
        if key not in CACHING:
            yield "CAS111", f'settings["caching"] has no option "{key}"', did_you_mean(key, CACHING)
        elif value.upper() not in ("ALL", "NONE") and not (key == "rows_per_partition" and value.isdigit()):
            yield "CAS111", f'caching: {key} is "{value}"', 'it takes "ALL" or "NONE"'


_MAPS = {"compaction": _compaction, "compression": _compression, "caching": _caching}
