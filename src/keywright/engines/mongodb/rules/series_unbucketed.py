"""MDB015: each measurement is a separate document, or a manual bucket is too long.

https://www.mongodb.com/docs/manual/core/timeseries-collections/ (2026-11-22); the number is ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.amounts import is_amount
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import READS
from keywright.engines.findings.rates import items_per_second
from keywright.engines.mongodb.declare.options import Collection
from keywright.engines.mongodb.schema.capabilities import FLAVOURS
from keywright.ir.attribute import Attribute, Many, Scalar, Struct
from keywright.ir.binding import Binding
from keywright.ir.text import counted

_BY_HAND = "keep an hour of one source in one document, as a bounded list with its figures"

_BY_NUMBER = "keep a page of successive items in one document, as a bounded list"


def models(
    context: RuleContext, *, bucket_max: int = 1_000, tiny_bytes: int = 200, min_rate: float = 300
) -> Iterator[FindingDraft]:
    """Every collection of kind "reading" whose documents have a time and contain one measurement, or too many; and
    every one of tiny documents with a time that are often inserted, never changed and only read in groups. Amounts of
    money are no measurements.

    bucket_max: measurements that a document may contain. tiny_bytes: typical bytes of a tiny document. min_rate:
    inserts per second of tiny documents.
    """
    environments = [target.environment for target in context.of("mongodb")]
    has_series = all(
        FLAVOURS[environment.flavour].has("time-series", environment.version) for environment in environments
    )
    for binding in context.bindings("mongodb"):
        if not isinstance(binding.spec, Collection):
            continue
        facts, rate = context.storage_facts(binding), items_per_second(context, binding, "put") or 0
        size = facts.item.expected if facts else None
        is_tiny = size is not None and size <= tiny_bytes and rate >= min_rate and _is_read_in_groups(context, binding)
        if binding.spec.kind != "reading" and not is_tiny:
            continue
        lists = [attribute for attribute in binding.entity.attributes if isinstance(attribute.type, Many)]
        time = next((attribute.name for attribute in binding.entity.attributes if _is_time(attribute)), None)
        number = next((attribute.name for attribute in binding.entity.attributes if _is_number(attribute)), None)
        if (time is not None or (is_tiny and number is not None)) and not lists:
            load = (
                f" of {counted(size, 'byte', spec=',.0f')}, {rate:,.0f} a second"
                if is_tiny and size is not None
                else ""
            )
            yield FindingDraft(
                problem=f"each measurement is a document of its own{load}, with its own key and index entries",
                help=f'make it a kw.TimeSeries(..., time="{time}", meta=...)'
                if has_series and time is not None
                else _BY_HAND
                if time is not None
                else _BY_NUMBER,
                subject=binding.name,
            )
        for attribute in lists:
            count = _measurements(attribute)
            if count is not None and count > bucket_max:
                yield FindingDraft(
                    problem=f'"{attribute.name}" may hold {count} measurements, '
                    f"{counted(bucket_max, 'is recommended', 'are recommended')}",
                    help='let a document stand for a shorter time, as id="{source}_{start:hour}" does',
                    subject=binding.name,
                    field=attribute.name,
                )


def _is_read_in_groups(context: RuleContext, binding: Binding[Collection]) -> bool:
    """Whether documents are only inserted, and only read several at once by a time or number of the same source."""
    times = {item.name for item in binding.entity.attributes if _is_datetime(item) or _is_number(item)}
    if any(is_amount(binding, item.name) for item in binding.entity.attributes):
        return False
    patterns = [plan.pattern for plan in context.plans_of(binding)]
    reads = [pattern for pattern in patterns if pattern.kind in READS]
    is_kept = all(pattern.kind in READS or pattern.kind == "put" for pattern in patterns)
    return (
        is_kept
        and len({pattern.eq for pattern in reads}) == 1
        and all(
            pattern.kind != "get"
            and pattern.limit != 1
            and times & {pattern.range, *(name.removeprefix("-") for name in pattern.order)}
            for pattern in reads
        )
    )


def _is_number(attribute: Attribute) -> bool:
    return isinstance(attribute.type, Scalar) and attribute.type.kind == "integer" and not attribute.type.constants


def _is_time(attribute: Attribute) -> bool:
    """Whether an attribute is a time at which something happened; one that expires at once is the time of its end."""
    return _is_datetime(attribute) and attribute.ttl_after_seconds != 0


def _is_datetime(attribute: Attribute) -> bool:
    return isinstance(attribute.type, Scalar) and attribute.type.kind == "datetime"


def _measurements(attribute: Attribute) -> int | None:
    """The maximum number of models in a list; None if it is unbounded or contains other values."""
    return (
        attribute.type.max_items
        if isinstance(attribute.type, Many) and isinstance(attribute.type.element, Struct)
        else None
    )
