"""Key templates such as `ORDER#{placed_at:iso}#{order_id}`, parsed when a declaration is created."""

import itertools
import re
from functools import cache

from keywright.errors import did_you_mean
from keywright.record import Record, force_setattr

from .attribute import Precision
from .time_format import DIRECTIVES, form_of, width_of

FILTERS: dict[str, bool] = {
    "iso": False, "date": False, "month": False, "week": False, "hour": False, "strftime": False,
    "pad": True, "shard": True, "upper": False, "lower": False, "tag": False,
}  # fmt: skip
"""Every filter, and whether it takes a number in parentheses."""

TIME_WIDTHS = {"iso": 27, "date": 10, "month": 7, "week": 8, "hour": 13}
"""Filters that write a time in UTC, with the number of characters: text order is time order."""

ISO_WIDTHS: dict[Precision, int] = {"milliseconds": 24, "seconds": 20}
"""Number of characters that `iso` writes for a time with a declared precision."""

_ALTERNATIVES = (frozenset((*TIME_WIDTHS, "pad", "shard")), frozenset(("upper", "lower")), frozenset(("tag",)))
"""Filters that exclude each other: the form of a value, its case, its braces."""

_PRECISIONS: dict[str, Precision] = {"seconds": "seconds", "milliseconds": "milliseconds"}
_SYNTAX = "a placeholder is written {field} or {field:filter}"
_PARTS = re.compile(r"\{([^{}]*)\}|([^{}]+)|([{}])")
_COLON = re.compile(r":(?![^()]*\))")
_FORMAT = re.compile(r"strftime\(([^(),]*)(?:,(seconds|milliseconds))?\)$")
_FILTER = re.compile(r"([a-z]+)(?:\((?:(\d+)|(?:(\d+),)?(seconds|milliseconds))\))?$")
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$")


class TemplateError(ValueError):
    """A key template that does not parse, with its code and a help line."""

    def __init__(self, code: str, problem: str, help: str = "") -> None:
        super().__init__(problem)
        self.code, self.help = code, help


class Filter(Record):
    """One `:name(number)` of a placeholder."""

    name: str
    """Its name, a key of FILTERS."""
    number: int | None = None
    """Its number, for filters with a number."""
    precision: Precision | None = None
    """The smallest part of the time that `iso` and `pad` write; None for microseconds, and for a whole number."""
    format: str = ""
    """Format of `strftime`, whose name is that of the filter with the same parts; empty for the usual text."""

    @property
    def width(self) -> int | None:
        """Number of characters if it is constant; None if it depends on the value."""
        if self.format:
            return width_of(self.format)
        match self.name:
            case "pad":
                return self.number
            case "iso" if self.precision:
                return ISO_WIDTHS[self.precision]
            case "shard":
                return len(str((self.number or 1) - 1))
            case _:
                return TIME_WIDTHS.get(self.name)

    def __str__(self) -> str:
        """The filter as it is written."""
        parts = (self.format or None, self.number, self.precision)
        arguments = ",".join(str(part) for part in parts if part is not None)
        return f"{'strftime' if self.format else self.name}({arguments})" if arguments else self.name


class Placeholder(Record):
    """One `{field:filter}` of a template."""

    path: str
    """Field, with dots into embedded models; empty for a random shard on each write."""
    filters: tuple[Filter, ...] = ()
    """The filters in the order in which they apply."""

    @property
    def width(self) -> int | None:
        """Number of characters after the filters, with the braces of a tag; None if it depends on the value."""
        width = next((filter.width for filter in self.filters if filter.width), None)
        return width + 2 if width and self.is_tag else width

    @property
    def is_tag(self) -> bool:
        """Whether it has the braces that keep keys on one node of a cluster."""
        return any(filter.name == "tag" for filter in self.filters)

    def __str__(self) -> str:
        """The placeholder as it is written."""
        return f"{{{':'.join((self.path, *map(str, self.filters)))}}}"

    @property
    def shards(self) -> int | None:
        """Number of shards, if the placeholder is a shard."""
        return next((filter.number for filter in self.filters if filter.name == "shard"), None)


class Template(Record):
    """A parsed key template."""

    text: str
    """The template as written."""
    parts: tuple[str | Placeholder, ...]
    """Constants and placeholders in order; no two constants are adjacent."""
    placeholders: tuple[Placeholder, ...] = ()
    """The placeholders in order; stored, because every plan of every pattern reads them."""

    def __post_init__(self) -> None:
        """Pick the placeholders out of the parts."""
        placeholders = tuple(part for part in self.parts if isinstance(part, Placeholder))
        force_setattr(self, "placeholders", placeholders)

    @property
    def head(self) -> str:
        """The constant text before the first placeholder."""
        return self.parts[0] if isinstance(self.parts[0], str) else ""

    @property
    def precise_filters(self) -> tuple[tuple[str, Filter], ...]:
        """(field, filter) of each filter that names a precision, as only `precise` writes it."""
        return tuple(
            (placeholder.path, filter)
            for placeholder in self.placeholders
            for filter in placeholder.filters
            if filter.precision
        )

    @property
    def lone(self) -> Placeholder | None:
        """The placeholder of a template without other parts or filters, which keeps its native type."""
        only = self.parts[0] if len(self.parts) == 1 else ""
        return only if isinstance(only, Placeholder) and not only.filters else None


@cache
def lone(name: str) -> Template:
    """The template of one field or computed attribute alone, whatever characters its name has."""
    return Template(f"{{{name}}}", (Placeholder(name),))


@cache
def parse(text: str) -> Template:
    """Parse a key template; raises TemplateError."""
    if not text:
        raise TemplateError("E0301", "a key template is empty", "write a word, a {field}, or both")
    parts: list[str | Placeholder] = []
    for inside, constant, brace in _PARTS.findall(text):
        if brace:
            raise TemplateError("E0301", f'unbalanced "{brace}" in "{text}"', _SYNTAX)
        if inside and parts and str(parts[-1]).endswith("$"):
            problem = f'"${{{inside}}}" in "{text}" writes a dollar sign before the value'
            raise TemplateError("E0318", problem, f"leave out the dollar sign: {{{inside}}}")
        parts.append(constant or _placeholder(inside, text))
    for left, right in itertools.pairwise(parts):
        if isinstance(left, Placeholder) and isinstance(right, Placeholder) and left.width is None:
            raise TemplateError(
                "GEN101",
                f'"{{{left.path}}}" and "{{{right.path}}}" are adjacent in "{text}": two items could share a key',
                'put a character between them that the first cannot contain, such as "#"',
            )
    return Template(text, tuple(parts))


def _placeholder(inside: str, text: str) -> Placeholder:
    path, *words = _COLON.split(inside)
    filters = tuple(_filter(word, text) for word in words)
    for group in _ALTERNATIVES:
        if len(clashing := [filter.name for filter in filters if filter.name in group]) > 1:
            problem = f'filters ":{clashing[0]}" and ":{clashing[1]}" of "{{{inside}}}" exclude each other'
            raise TemplateError("E0312", problem, f"keep one of them, such as {{{path}:{clashing[0]}}}")
    if path == "" and [filter.name for filter in filters] == ["shard"]:
        return Placeholder("", filters)
    if not _PATH.match(path):
        raise TemplateError("E0301", f'"{{{inside}}}" in "{text}" is not a field', _SYNTAX)
    return Placeholder(path, filters)


def _filter(word: str, text: str) -> Filter:
    if word == "strftime" or word.startswith("strftime("):
        return _formatted(word, text)
    match = _FILTER.match(word)
    name, only, number, unit = match.groups() if match else (word, None, None, None)
    number = only or number
    if name not in FILTERS:
        raise TemplateError("E0302", f'unknown filter ":{name}" in "{text}"', did_you_mean(name, FILTERS))
    is_in_place = unit is None or name in ("iso", "pad")
    if FILTERS[name] != (number is not None) or (number and int(number) == 0) or not is_in_place:
        example = f":{name}(12)" if FILTERS[name] else f":{name}"
        takes = "takes a number of at least 1" if FILTERS[name] else "takes no number"
        raise TemplateError("E0315", f'filter ":{word}" in "{text}" {takes}', f"write {example}")
    return Filter(name, int(number) if number else None, _PRECISIONS[unit] if unit else None)


def _formatted(word: str, text: str) -> Filter:
    """The filter of a time in a format."""
    match = _FORMAT.match(word)
    format, unit = match.groups() if match else ("", None)
    if (form := form_of(format)) is None:
        problem = f'filter ":{word}" in "{text}" has no format whose texts sort like times'
        raise TemplateError("E0320", problem, f"write {DIRECTIVES}, such as :strftime(%Y%m%d)")
    return Filter(form, precision=_PRECISIONS[unit] if unit else None, format=format)
