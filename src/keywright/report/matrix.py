"""The access matrix: a line for each pattern, with what serves it, the native query and what a call costs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from keywright.access.cost import Band, Cost
from keywright.access.path import AccessPath, NotServed
from keywright.ir.json import Json
from keywright.ir.pattern import Pattern

from .document import long_document


@dataclass(frozen=True, slots=True)
class Paste:
    """What to add to which declaration, so that a pattern is served."""

    text: str
    """The expression."""
    into: str
    """Where: file, line, declaration and option, as a sentence names them."""
    edit: Json
    """The same for programs: file, line and column, and the text to insert there; None where that is not plain."""


@dataclass(frozen=True, slots=True)
class Line:
    """One pattern in its store."""

    pattern: Pattern
    """The pattern; its place is relative to where the command runs."""
    entity: str
    """Name of the binding."""
    engine: str
    """Name of the engine."""
    store: str
    """The store, such as `mongodb/content`."""
    path: AccessPath | NotServed
    """What serves it, or why nothing does."""
    query: Json = None
    """What is sent; None where nothing is."""
    cost: Cost | None = None
    """What one call costs."""
    rejected: tuple[tuple[str, str], ...] = ()
    """(candidate, why it does not serve, or that it costs more)."""
    paste: Paste | None = None
    """What would let it be served."""

    @property
    def is_served(self) -> bool:
        """Whether something serves it."""
        return isinstance(self.path, AccessPath)

    @property
    def verdict(self) -> str:
        """`served`, `unserved` where that is declared with a reason, else `NOT SERVED`."""
        return "served" if self.is_served else "unserved" if self.pattern.unserved else "NOT SERVED"

    @property
    def units_per_second(self) -> float | None:
        """Units that the pattern uses on average; None where rate or cost is not known."""
        rate = self.pattern.load.per_second
        expected = self.cost.units.expected if self.cost else None
        return None if rate is None or expected is None else rate * expected


def document(lines: Iterable[Line]) -> str:
    """The document of `keywright patterns --format json`."""
    return long_document("patterns/1", {"patterns": [described(line) for line in lines]})


def access(lines: Iterable[Line]) -> str:
    """The document `access.json` of the build folder: what serves each pattern, and nothing that only moves about."""
    rows: list[Json] = [{key: value for key, value in described(line).items() if key in _LASTING} for line in lines]
    return long_document("access/1", {"patterns": rows})


_LASTING = frozenset(
    (
        "name", "context", "kind", "entity", "engine", "store", "served", "by", "query", "residual", "fan_out", "order",
        "consistency", "notes", "reason", "unserved",
    )
)  # fmt: skip
"""What a reviewer wants to see change: no costs, and no lines of files."""


def described(line: Line) -> dict[str, Json]:
    """One line as JSON."""
    pattern, path = line.pattern, line.path
    is_served = isinstance(path, AccessPath)
    notes: list[Json] = [*path.notes] if isinstance(path, AccessPath) else []
    return {
        "name": pattern.name,
        "context": pattern.context,
        "kind": pattern.kind,
        "entity": line.entity,
        "engine": line.engine,
        "store": line.store,
        "served": is_served,
        "by": {"kind": path.by.kind, "name": path.by.name} if isinstance(path, AccessPath) else None,
        "query": line.query,
        "residual": " and ".join(map(str, path.residual)) or None if isinstance(path, AccessPath) else None,
        "fan_out": path.fan_out if isinstance(path, AccessPath) else None,
        "order": path.order if isinstance(path, AccessPath) else None,
        "consistency": path.consistency if isinstance(path, AccessPath) else pattern.consistency,
        "notes": notes,
        "cost": _cost(line.cost) if line.cost else None,
        "rate": pattern.load.per_second,
        "units_per_second": line.units_per_second,
        "reason": path.reason if isinstance(path, NotServed) else None,
        "unserved": pattern.unserved,
        "rejected": [{"candidate": candidate, "reason": reason} for candidate, reason in line.rejected],
        "fix": {"text": line.paste.text, "into": line.paste.into, "edit": line.paste.edit} if line.paste else None,
        "at": {"file": pattern.at.file, "line": pattern.at.line},
    }


def _cost(cost: Cost) -> Json:
    return {
        **_band(cost.units),
        "unit": cost.unit,
        "missing": list[Json](sorted(cost.missing)),
        "arms": {name: _band(band) for name, band in cost.arms},
        "examined": _band(cost.examined),
        "returned": _band(cost.returned),
        "examined_bytes": _band(cost.examined_bytes),
        "returned_bytes": _band(cost.returned_bytes),
        "round_trips": _band(cost.round_trips),
        "partitions": cost.partitions,
        "complexity": cost.complexity or None,
    }


def _band(band: Band) -> dict[str, Json]:
    return {"low": band.low, "expected": band.expected, "high": band.high}


def grouped(lines: Iterable[Line]) -> Iterator[tuple[str, list[Line]]]:
    """(context, its lines), in declared order."""
    for context, group in groupby(lines, key=lambda line: line.pattern.context):
        yield context, list(group)


def served_by(line: Line) -> str:
    """What serves a pattern, in a few words; the fan-out where there is one."""
    if not isinstance(line.path, AccessPath):
        return "-"
    by, fan_out = line.path.by, line.path.fan_out
    return f"{by.kind} {by.name}" + (f" x{fan_out}" if fan_out > 1 else "")


def cost_of(line: Line) -> str:
    """What one call costs, in a few words: one figure where it is exact, else the band."""
    if line.cost is None:
        return "-"
    figures, unit = band_text(line.cost.units), line.cost.unit
    return f"{figures} {unit.removesuffix('s') if figures == '1' else unit}"


def band_text(band: Band) -> str:
    """A band in a few words: `2`, `1-4`, `2+` where nothing bounds it."""
    if band.is_exact:
        return figure(band.low)
    return f"{figure(band.low)}-{figure(band.high)}" if band.high is not None else f"{figure(band.low)}+"


def figure(value: float) -> str:
    """A number with three digits that say something: `0.5`, `12`, `1.2k`, `3.4M`."""
    for factor, unit in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if value >= factor:
            return f"{value / (1e3 if unit == 'k' else factor):.3g}{unit}"
    return f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.2g}" if value < 1 else f"{value:.3g}"


def rate_of(line: Line) -> str:
    """How often it is called, per second."""
    return "-" if line.pattern.load.per_second is None else frequency(line.pattern.load.per_second)


def units_of(line: Line) -> str:
    """Units per second on average."""
    if line.units_per_second is None:
        return "-"
    number, per, period = frequency(line.units_per_second).partition("/")
    return f"{number} {_unit(line)}{per}{period}"


def load_of(line: Line) -> str:
    """The figure of `units_of` alone, where its unit stands beside it."""
    return "-" if line.units_per_second is None else frequency(line.units_per_second)


def frequency(per_second: float) -> str:
    """How often, in a few words: per second, or per day for what is rare."""
    return f"{figure(per_second)}/s" if per_second >= 0.01 else f"{figure(per_second * 86_400)}/day"


def _unit(line: Line) -> str:
    return line.cost.unit if line.cost else ""


def markdown(lines: Iterable[Line]) -> str:
    """The matrix as Markdown tables, one for each context."""
    parts: list[str] = []
    for context, group in grouped(lines):
        parts += [f"## {context}", "", "| " + " | ".join(_HEADINGS) + " |", "|" + "---|" * len(_HEADINGS)]
        parts += ("| " + " | ".join(map(_cell, cells(line).values())) + " |" for line in group)
        parts.append("")
    return "\n".join(parts)


_HEADINGS = (
    "pattern", "served by", "native query", "cost of a call", "order", "consistency", "rate", "per second", "verdict",
)  # fmt: skip


def cells(line: Line) -> Mapping[str, str]:
    """The cells of a line, by heading."""
    path = line.path
    values = (
        line.pattern.name,
        served_by(line),
        query_text(line.query) if line.is_served else line.path.reason if isinstance(line.path, NotServed) else "",
        cost_of(line),
        path.order if isinstance(path, AccessPath) else "-",
        path.consistency if isinstance(path, AccessPath) else line.pattern.consistency,
        rate_of(line),
        units_of(line),
        line.verdict,
    )
    return dict(zip(_HEADINGS, values, strict=True))


def query_text(query: Json) -> str:
    """A native query in one line, without the quotes of JSON where they say nothing."""
    match query:
        case None:
            return "-"
        case dict():
            return "{" + ", ".join(f"{key}: {query_text(value)}" for key, value in query.items()) + "}"
        case list():
            return "[" + ", ".join(map(query_text, query)) + "]"
        case bool():
            return str(query).lower()
        case _:
            return str(query)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
