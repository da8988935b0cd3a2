"""The access matrix: one row per access pattern, with its access path, native query and cost."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from keywright.access.cost import Band, Cost
from keywright.access.path import AccessPath, NotServed
from keywright.ir.json import Json
from keywright.ir.pattern import Pattern
from keywright.ir.text import figure
from keywright.record import Record

from . import gfm
from .document import long_document


class Paste(Record):
    """A proposed declaration that serves a pattern."""

    text: str
    """Python expression of the declaration."""
    into: str
    """File, line, declaration and option, as text."""
    edit: Json
    """The edit as JSON: file, line, column and text to insert; None if it cannot be written automatically."""


class MatrixRow(Record):
    """An access pattern with its access path."""

    pattern: Pattern
    """The pattern; its file is relative to the current folder."""
    entity: str
    """Name of the binding."""
    engine: str
    """Name of the engine."""
    store: str
    """Name of the store, such as `mongodb/content`."""
    path: AccessPath | NotServed
    """The access path, or the reason why there is none."""
    query: Json = None
    """Native query; None if the pattern is not served."""
    cost: Cost | None = None
    """Cost of one call."""
    rejected: tuple[tuple[str, str], ...] = ()
    """(candidate, reason why it does not serve the pattern, or costs more)."""
    paste: Paste | None = None
    """Declaration that would serve the pattern."""

    @property
    def is_served(self) -> bool:
        """Whether the pattern has an access path."""
        return isinstance(self.path, AccessPath)

    @property
    def verdict(self) -> str:
        """`served`, `unserved` if declared so with a reason, else `NOT SERVED`."""
        return "served" if self.is_served else "unserved" if self.pattern.unserved else "NOT SERVED"

    @property
    def units_per_second(self) -> float | None:
        """Average units per second of the pattern; None if its rate or cost is unknown."""
        rate = self.pattern.load.per_second
        expected = self.cost.units.expected if self.cost else None
        return None if rate is None or expected is None else rate * expected


def document(lines: Iterable[MatrixRow]) -> str:
    """JSON document of `keywright patterns --format json`."""
    return long_document("patterns/1", {"patterns": [described(line) for line in lines]})


def access(lines: Iterable[MatrixRow]) -> str:
    """JSON document `access.json` of the build folder: access paths without costs and lines of files."""
    rows: list[Json] = [
        {key: value for key, value in described(line).items() if key in _REVIEWED_KEYS} for line in lines
    ]
    return long_document("access/1", {"patterns": rows})


_REVIEWED_KEYS = frozenset(
    (
        "name", "context", "kind", "entity", "engine", "store", "served", "by", "query", "residual", "fan_out", "order",
        "consistency", "notes", "reason", "unserved",
    )
)  # fmt: skip
"""Keys whose changes a reviewer wants to see: no costs, and no lines of files."""


def described(line: MatrixRow) -> dict[str, Json]:
    """JSON object of a row."""
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


def grouped(lines: Iterable[MatrixRow]) -> Iterator[tuple[str, list[MatrixRow]]]:
    """(context, rows of the context), in declared order."""
    for context, group in groupby(lines, key=lambda line: line.pattern.context):
        yield context, list(group)


def served_by(line: MatrixRow) -> str:
    """Short text of an access path, with its fan-out if above 1."""
    if not isinstance(line.path, AccessPath):
        return "-"
    by, fan_out = line.path.by, line.path.fan_out
    return f"{by.kind} {by.name}" + (f" x{fan_out}" if fan_out > 1 else "")


def cost_of(line: MatrixRow) -> str:
    """Short text of the cost of one call: one figure if it is exact, else the band."""
    if line.cost is None:
        return "-"
    return in_units(line.cost.units, line.cost.unit)


def in_units(band: Band, unit: str) -> str:
    """Text of a band with its unit, which is given in the plural: `1 byte`, `2-40 bytes`."""
    figures = band_text(band)
    return f"{figures} {unit.removesuffix('s') if figures == '1' else unit}"


def band_text(band: Band) -> str:
    """Short text of a band: `2`, `1-4`, `2+` without upper bound, `~40k` if far more is expected."""
    if band.is_exact:
        return figure(band.low)
    if band.high is not None:
        return f"{figure(band.low)}-{figure(band.high)}"
    if band.expected is not None and band.expected >= 10 * max(
        band.low, 1
    ):  # the minimum would hide the expected value
        return f"~{figure(band.expected)}"
    return f"{figure(band.low)}+"


def rate_of(line: MatrixRow) -> str:
    """Text of the calls per second."""
    return "-" if line.pattern.load.per_second is None else frequency(line.pattern.load.per_second)


def units_of(line: MatrixRow) -> str:
    """Text of the average units per second."""
    if line.units_per_second is None:
        return "-"
    number, per, period = frequency(line.units_per_second).partition("/")
    return f"{number} {_unit(line)}{per}{period}"


def load_of(line: MatrixRow) -> str:
    """The figure of `units_of` without its unit."""
    return "-" if line.units_per_second is None else frequency(line.units_per_second)


def frequency(per_second: float) -> str:
    """Short text of a frequency: per second, or per day if it is rare."""
    return f"{figure(per_second)}/s" if per_second >= 0.01 else f"{figure(per_second * 86_400)}/day"


def _unit(line: MatrixRow) -> str:
    return line.cost.unit if line.cost else ""


def markdown(lines: Iterable[MatrixRow]) -> str:
    """Markdown of the matrix, with one table per context."""
    parts: list[str] = []
    for context, group in grouped(lines):
        parts += [f"## {gfm.text(context)}", "", "| " + " | ".join(_HEADINGS) + " |", "|" + "---|" * len(_HEADINGS)]
        parts += ("| " + " | ".join(map(gfm.text, cells(line).values())) + " |" for line in group)
        parts.append("")
    return "\n".join(parts)


_HEADINGS = (
    "pattern", "served by", "native query", "cost of a call", "order", "consistency", "rate", "per second", "verdict",
)  # fmt: skip


def cells(line: MatrixRow) -> Mapping[str, str]:
    """Cells of a row, by heading."""
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
    """A native query on one line, without the quotes of JSON strings."""
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
