"""Facts about time series: the source of measurements, and reads by it."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import RuleContext, fields
from keywright.engines.findings.rates import items_per_second
from keywright.engines.mongodb.declare.options import TimeSeries
from keywright.ir.attribute import Facts, Scalar, Struct
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

_REQUEST = re.compile(r"(?:^|_)(?:request|trace|span|event|correlation|message|measurement)(?:_?(?:id|uuid))?$")
"""Names of fields that differ in each measurement."""

_UNIQUE_LENGTH = 20
"""Characters of a text of fixed length from which it is probably random: a ULID has 26."""


def series(context: RuleContext) -> Iterator[tuple[Binding[TimeSeries], Scalar | None]]:
    """Every time series with a meta field, and the type of that field; that of an embedded model has its number of
    values, or the largest one of its fields. None for another meta field of several values."""
    for binding in context.bindings("mongodb"):
        if isinstance(binding.spec, TimeSeries) and binding.spec.meta is not None:
            attribute = binding.entity.attribute(binding.spec.meta)
            kind = attribute.type if attribute else None
            yield binding, _of_struct(kind) if isinstance(kind, Struct) else kind if isinstance(kind, Scalar) else None


def _of_struct(struct: Struct) -> Scalar:
    """An embedded model as one value; random if one of its fields is."""
    kinds = [kind for _, attribute in fields(struct.attributes) if isinstance(kind := attribute.type, Scalar)]
    random = next((kind for kind in kinds if is_random(kind)), None)
    counts = [kind.facts.distinct for kind in kinds if kind.facts.distinct is not None]
    distinct = struct.facts.distinct or (None if random else max(counts, default=None))
    return Scalar("uuid" if random else "json", facts=Facts(distinct=distinct))


def sources(context: RuleContext, kind: Scalar | None) -> int | None:
    """The number of values of a meta field: declared, or that of the entity to which it refers; None if unknown."""
    if kind is None or kind.facts.distinct is not None or kind.facts.reference is None:
        return kind.facts.distinct if kind else None
    name = kind.facts.reference.entity
    counts = (binding.spec.expected for binding in context.design.bindings if binding.entity.name == name)
    return next((count for count in counts if count is not None), None)


def measurements(context: RuleContext, binding: Binding[TimeSeries]) -> int | None:
    """Measurements that are kept: declared, or by the rate of writes; None if unknown."""
    spec, rate = binding.spec, items_per_second(context, binding, "put")
    if spec.expected is not None or spec.ttl is None or rate is None:
        return spec.expected
    return round(rate * spec.ttl.total_seconds())


def selects(pattern: Pattern, field: str | None) -> bool:
    """Whether a pattern selects single values of a field or of a part of it; not of None."""
    compared = (*pattern.eq, *pattern.one_of, *(condition.field for condition in pattern.where))
    return field is not None and any(f"{name}.".startswith(f"{field}.") for name in compared)


def is_random(kind: Scalar) -> bool:
    """Whether values are unique by their type: a UUID, or a long text of one length that refers to nothing."""
    if kind.facts.reference is not None or kind.facts.distinct is not None:
        return False
    facts, length = kind.facts, kind.max_length
    is_fixed = (length is not None and length == kind.min_length) or facts.average_bytes == facts.max_bytes
    return kind.kind == "uuid" or (is_fixed and max(length or 0, facts.max_bytes or 0) >= _UNIQUE_LENGTH)


def is_bucket_wasted(binding: Binding[TimeSeries], kind: Scalar, patterns: list[Pattern]) -> bool:
    """Whether the meta field is a key of its own for each measurement, by its name or because no read uses it."""
    if not is_random(kind) or not patterns:
        return False
    return is_of_request(binding) or not any(selects(pattern, binding.spec.meta) for pattern in patterns)


def is_of_request(binding: Binding[TimeSeries]) -> bool:
    """Whether the meta field, or a random part of it, is the id of a request or of the measurement itself."""
    attribute = binding.entity.attribute(binding.spec.meta or "")
    parts = attribute.type.attributes if attribute and isinstance(attribute.type, Struct) else (attribute,)
    return any(
        part is not None and isinstance(part.type, Scalar) and is_random(part.type) and _REQUEST.search(part.name)
        for part in parts
    )
