"""Key templates such as `ORDER#{placed_at:iso}#{order_id}`: parsed when a declaration is made, compiled into codecs."""

import itertools
import re
from dataclasses import dataclass, field
from functools import cache

from keywright.errors import did_you_mean

FILTERS: dict[str, bool] = {
    "iso": False, "date": False, "month": False, "week": False, "hour": False,
    "pad": True, "shard": True, "upper": False, "lower": False, "tag": False,
}  # fmt: skip
"""Every filter, and whether it takes a number in parentheses."""

TIME_WIDTHS = {"iso": 27, "date": 10, "month": 7, "week": 8, "hour": 13}
"""Filters that give a time its text form in UTC, with the characters they write: text order is time order."""

_ALTERNATIVES = (frozenset((*TIME_WIDTHS, "pad", "shard")), frozenset(("upper", "lower")), frozenset(("tag",)))
"""Filters of which a placeholder has one at the most: the form of a value, its case, its braces."""

_WRITTEN = "a placeholder is written {field} or {field:filter}"
_PARTS = re.compile(r"\{([^{}]*)\}|([^{}]+)|([{}])")
_FILTER = re.compile(r"([a-z]+)(?:\((\d+)\))?$")
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$")


class TemplateError(ValueError):
    """A key template that does not parse, with its code and a help line."""

    def __init__(self, code: str, problem: str, help: str = "") -> None:
        super().__init__(problem)
        self.code, self.help = code, help


@dataclass(frozen=True, slots=True)
class Filter:
    """One `:name(number)` of a placeholder."""

    name: str
    """Its name, a key of FILTERS."""
    number: int | None = None
    """Its number, where it takes one."""

    @property
    def width(self) -> int | None:
        """Characters that it always writes; None where that depends on the value."""
        match self.name:
            case "pad":
                return self.number
            case "shard":
                return len(str((self.number or 1) - 1))
            case _:
                return TIME_WIDTHS.get(self.name)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One `{field:filter}` of a template."""

    path: str
    """Field, with dots into embedded models; empty for a shard drawn at random on each write."""
    filters: tuple[Filter, ...] = ()
    """The filters in the order in which they apply."""

    @property
    def width(self) -> int | None:
        """Characters that the filters always write, braces of a tag included; None where it depends on the value."""
        width = next((filter.width for filter in self.filters if filter.width), None)
        return width + 2 if width and self.is_tag else width

    @property
    def is_tag(self) -> bool:
        """Whether it is written in the braces that keep keys on one node of a cluster."""
        return any(filter.name == "tag" for filter in self.filters)

    @property
    def shards(self) -> int | None:
        """Number of shards, if it is one."""
        return next((filter.number for filter in self.filters if filter.name == "shard"), None)


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed key template."""

    text: str
    """The template as written."""
    parts: tuple[str | Placeholder, ...]
    """Constants and placeholders in order; no two constants touch."""
    placeholders: tuple[Placeholder, ...] = field(init=False, repr=False, compare=False)
    """The placeholders in order; kept, since every plan of every pattern asks for them."""

    def __post_init__(self) -> None:
        """Pick the placeholders out of the parts."""
        found = tuple(part for part in self.parts if isinstance(part, Placeholder))
        object.__setattr__(self, "placeholders", found)

    @property
    def head(self) -> str:
        """The constant text before the first placeholder."""
        return self.parts[0] if isinstance(self.parts[0], str) else ""

    @property
    def lone(self) -> Placeholder | None:
        """The placeholder of a template that is nothing else and has no filter: it keeps its native type."""
        only = self.parts[0] if len(self.parts) == 1 else ""
        return only if isinstance(only, Placeholder) and not only.filters else None


@cache
def parse(text: str) -> Template:
    """Parse a key template; TemplateError says what is wrong with it."""
    if not text:
        raise TemplateError("E0301", "a key template is empty", "write a word, a {field}, or both")
    parts: list[str | Placeholder] = []
    for inside, constant, stray in _PARTS.findall(text):
        if stray:
            raise TemplateError("E0301", f'unbalanced "{stray}" in "{text}"', _WRITTEN)
        parts.append(constant or _placeholder(inside, text))
    for left, right in itertools.pairwise(parts):
        if isinstance(left, Placeholder) and isinstance(right, Placeholder) and left.width is None:
            raise TemplateError(
                "GEN101",
                f'"{{{left.path}}}" and "{{{right.path}}}" touch in "{text}": two items could share a key',
                'put a character between them that the first cannot contain, such as "#"',
            )
    return Template(text, tuple(parts))


def _placeholder(inside: str, text: str) -> Placeholder:
    path, *words = inside.split(":")
    filters = tuple(_filter(word, text) for word in words)
    for group in _ALTERNATIVES:
        if len(clashing := [filter.name for filter in filters if filter.name in group]) > 1:
            problem = f'filters ":{clashing[0]}" and ":{clashing[1]}" of "{{{inside}}}" exclude each other'
            raise TemplateError("E0312", problem, f"keep one of them, such as {{{path}:{clashing[0]}}}")
    if path == "" and [filter.name for filter in filters] == ["shard"]:
        return Placeholder("", filters)
    if not _PATH.match(path):
        raise TemplateError("E0301", f'"{{{inside}}}" in "{text}" names no field', _WRITTEN)
    return Placeholder(path, filters)


def _filter(word: str, text: str) -> Filter:
    match = _FILTER.match(word)
    name, number = (match[1], match[2]) if match else (word, None)
    if name not in FILTERS:
        raise TemplateError("E0302", f'unknown filter ":{name}" in "{text}"', did_you_mean(name, FILTERS))
    if FILTERS[name] != (number is not None) or (number and int(number) == 0):
        wants = f":{name}(12)" if FILTERS[name] else f":{name}"
        takes = "takes a number from 1 on" if FILTERS[name] else "takes no number"
        raise TemplateError("E0315", f'filter ":{word}" in "{text}" {takes}', f"write {wants}")
    return Filter(name, int(number) if number else None)
