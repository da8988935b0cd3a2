"""MDB015: each measurement is a document of its own, or a bucket made by hand is too long.

https://www.mongodb.com/docs/manual/core/timeseries-collections/ (2026-11-22); the number is ours.
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.mongodb.capabilities import FLAVOURS
from keywright.engines.mongodb.options import Collection
from keywright.ir.attribute import Attribute, Many, Scalar, Struct

_BY_HAND = "keep an hour of one source in one document, as a bounded list with its figures"


def models(whole: Whole, *, bucket_max: int = 1_000) -> Iterator[Flaw]:
    """Every collection of kind "reading" whose documents have a time, and hold one measurement, or too many.

    bucket_max: measurements that a document may hold.
    """
    environments = [one.environment for one in whole.of("mongodb")]
    has_series = all(FLAVOURS[one.flavour].has("time-series", one.version) for one in environments)
    for binding in whole.bindings("mongodb"):
        if not isinstance(binding.spec, Collection) or binding.spec.kind != "reading":
            continue
        lists = [one for one in binding.entity.attributes if isinstance(one.type, Many)]
        time = next((one.name for one in binding.entity.attributes if _is_time(one)), None)
        if time is not None and not lists:
            yield Flaw(
                problem="each measurement is a document of its own, with its own key and index entries",
                help=f'make it a kw.TimeSeries(..., time="{time}", meta=...)' if has_series else _BY_HAND,
                subject=binding.name,
            )
        for one in lists:
            count = _measurements(one)
            if count is not None and count > bucket_max:
                yield Flaw(
                    problem=f'"{one.name}" may hold {count} measurements, {bucket_max} are a good bound',
                    help='let a document stand for a shorter time, as id="{source}_{start:hour}" does',
                    subject=binding.name,
                    field=one.name,
                )


def _is_time(one: Attribute) -> bool:
    return isinstance(one.type, Scalar) and one.type.kind == "datetime" and one.ttl_after_seconds is None


def _measurements(one: Attribute) -> int | None:
    """How many models a list may hold; None where nothing bounds it, or it holds something else."""
    return one.type.max_items if isinstance(one.type, Many) and isinstance(one.type.element, Struct) else None
