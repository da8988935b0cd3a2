"""Translates declared access patterns into patterns of the representation."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from keywright.declare import combined, reads, writes
from keywright.declare.declared import Declared
from keywright.declare.names import names
from keywright.declare.predicates import conditions
from keywright.declare.selection import DeclaredPattern as DeclaredPattern
from keywright.declare.selection import TimedPattern as TimedPattern
from keywright.ir.pattern import Collation, Join, Measure, Pattern, PatternKind, Traffic, per_second
from keywright.record import replace

KINDS: dict[type[TimedPattern], PatternKind] = {
    reads.Get: "get", reads.Read: "read", reads.Count: "count", reads.Rank: "rank", reads.RankAround: "rank_around",
    reads.Aggregate: "aggregate",
    writes.Put: "put", writes.Update: "update", writes.Increment: "increment", writes.Delete: "delete",
    writes.Take: "take", writes.Transact: "transact",
    combined.ReadTogether: "read_together", combined.TransactGet: "transact_get",
}  # fmt: skip
"""Kind of pattern, by the class that declares it."""

_NAMES = ("eq", "one_of", "search", "order", "fields", "sets", "unset", "used_by")
_SAME = (
    "range", "prefix", "contains", "all_of", "exactly", "near", "limit", "fan_out", "consistency", "if_absent",
    "timestamp", "pushes", "field", "by", "because", "batch", "unserved", "segments",
)  # fmt: skip


class Lowering:
    """Lowers patterns, whose declarations refer to models, writes and groups as objects."""

    def __init__(self, bindings: Mapping[int, str], variables: Mapping[int, str], binding_names: set[str]) -> None:
        self._bindings, self._variables, self._binding_names = bindings, variables, binding_names

    def lower(self, declared: TimedPattern, name: str, context: str) -> Pattern | None:
        """The pattern; None if the pattern or its model is rejected."""
        kind = KINDS.get(type(declared))
        if kind is None or declared.is_rejected:
            return None
        binding = self._binding(declared.model) if isinstance(declared, DeclaredPattern) else ""
        if isinstance(declared, DeclaredPattern) and binding not in self._binding_names:
            return None
        values: dict[str, Any] = {word: tuple(names(getattr(declared, word, []))) for word in _NAMES}
        values |= {word: getattr(declared, word) for word in _SAME if hasattr(declared, word)}
        values |= self._converted(declared, name, context)
        if "fan_out" in values:
            values |= {"fan_out": values["fan_out"] or 1, "is_fan_out_given": values["fan_out"] is not None}
        return Pattern(name, kind, context, binding, declared.at, _traffic(declared), **values)

    def _converted(self, declared: Any, name: str, context: str) -> dict[str, Any]:
        """The options whose form differs between declaration and representation."""
        values: dict[str, Any] = {"where": conditions(getattr(declared, "where", {}))}
        values["any_of"] = tuple(conditions(where) for where in getattr(declared, "any_of", []))
        values["scans"] = getattr(declared, "scan", False)
        values["excludes"] = getattr(declared, "excludes", None) or ""
        if isinstance(declared, (writes.Put, writes.Update)):
            values["is_ttl_given"] = declared.ttl == "given"
            values["ttl_seconds"] = int(declared.ttl.total_seconds()) if isinstance(declared.ttl, timedelta) else None
        if span := getattr(declared, "span", None):
            values["span_seconds"] = int(span.total_seconds())
        if rules := getattr(declared, "collation", None):
            values["collation"] = Collation(rules.locale, rules.strength)
        if cache := getattr(declared, "cache_ttl", None):
            values["cache_ttl_seconds"] = cache.total_seconds()
        values["reads_back"] = tuple(self._variable(write) for write in getattr(declared, "reads_back", []))
        values["joins"] = tuple(self._join(join) for join in getattr(declared, "joins", []))
        if isinstance(declared, reads.Aggregate):
            values["group"] = tuple(declared.group)
            values["measures"] = tuple(_measure(key, value) for key, value in declared.measures.items())
        if isinstance(declared, (reads.Rank, reads.RankAround)):
            values["shares_ranks"] = declared.ties == "shared"
        if isinstance(declared, writes.Take) and declared.group is not None:
            values["consumer_group"] = declared.group.name
        if isinstance(declared, writes.Transact):
            parts = (self.lower(part, f"{name}[{at}]", context) for at, part in enumerate(declared.writes))
            values["parts"] = tuple(part for part in parts if part is not None)
        if isinstance(declared, (combined.ReadTogether, combined.TransactGet)):
            values["parts"] = tuple(self._parts(declared, name, context))
        return values

    def _parts(
        self, declared: combined.ReadTogether[Any] | combined.TransactGet[Any], name: str, context: str
    ) -> Iterator[Pattern]:
        """The reads of a combined read, with the options that they share."""
        shared: dict[str, Any] = {"load": _traffic(declared)}
        if isinstance(declared, combined.ReadTogether):
            shared |= {"limit": declared.limit, "consistency": declared.consistency}
        else:
            shared |= {"consistency": "strong"}  # a transaction reads the latest acknowledged writes
        for at, part in enumerate(declared.parts):
            if (lowered := self.lower(part, f"{name}[{at}]", context)) is not None:
                yield replace(lowered, **shared)

    def _binding(self, model: Any) -> str:
        """Name of a binding; empty for an undeclared model, which is reported elsewhere."""
        return self._bindings.get(id(model), "")

    def _variable(self, declared: Declared) -> str:
        return self._variables.get(id(declared), "")

    def _join(self, join: reads.Join) -> Join:
        return Join(self._binding(join.model), tuple(join.on.items()), tuple(names(join.fields)))


def _traffic(declared: TimedPattern) -> Traffic:
    return Traffic(per_second(declared.rate), per_second(declared.peak), per_second(declared.hot_key), declared.p99_ms)


def _measure(name: str, measure: reads.Measure) -> Measure:
    match measure:
        case reads.Sum():
            return Measure(name, "sum", measure.of)
        case reads.Avg():
            return Measure(name, "avg", measure.of)
        case _:
            return Measure(name, "distinct", measure.of)
