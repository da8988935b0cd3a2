"""MongoDB's part of a design into databases."""

from collections.abc import Iterator, Mapping

from keywright.declare.names import names
from keywright.declare.stream import Stream
from keywright.engines.shape import EntityShape, FieldShape
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.json import Json
from keywright.ir.physical import Physical

from . import sharding
from .capabilities import CAPPED_MULTIPLE
from .fields import fields, store_of, stored
from .lower_index import indexes
from .options import Collection, TimeSeries
from .reported import collation
from .schema import validator
from .target import CollectionTarget, DatabaseTarget, SeriesOptions


def lower(design: Design) -> tuple[DatabaseTarget, ...]:
    """See `Engine.lower`."""
    return tuple(_database(physical, design.bindings_in(physical)) for physical in design.physicals)


def _database(physical: Physical, bindings: tuple[Binding, ...]) -> DatabaseTarget:
    collections = sorted(map(_collection, bindings), key=lambda one: (one.name, one.generation))
    return DatabaseTarget(physical.name, tuple(collections), tuple(_shape(binding) for binding in bindings))


def _collection(binding: Binding) -> CollectionTarget:
    spec = store_of(binding)
    return _series(binding, spec) if isinstance(spec, TimeSeries) else _documents(binding, spec)


def _documents(binding: Binding, spec: Collection) -> CollectionTarget:
    rules = spec.settings.get("collation")
    return CollectionTarget(
        name=spec.name,
        generation=spec.generation,
        validator=None if spec.validation == "off" else validator(binding),
        level="moderate" if spec.validation == "moderate" else "strict",
        action="warn" if spec.validation == "warn" else "error",
        collation=collation(dict(rules)) if isinstance(rules, dict) else None,
        has_images=wants_images(spec.stream),
        others=_others(spec),
        indexes=indexes(binding),
    )


def _others(spec: Collection) -> tuple[tuple[str, Json], ...]:
    """Settings as the server reports them."""
    others: dict[str, Json] = {}
    for key, value in spec.settings.items():
        if not isinstance(value, Mapping) and value is not False:
            others[key] = -(-int(value) // CAPPED_MULTIPLE) * CAPPED_MULTIPLE if key == "size" else value
    return tuple(sorted(others.items()))


def wants_images(stream: Stream | None) -> bool:
    """Whether changes carry more than the key: the server keeps images before and after together."""
    return stream is not None and stream.images != "keys"


def _series(binding: Binding, spec: TimeSeries) -> CollectionTarget:
    return CollectionTarget(
        name=spec.name,
        generation=spec.generation,
        series=SeriesOptions(stored(binding, spec.time), stored(binding, spec.meta), spec.granularity),
        expire_after_seconds=series_seconds(binding, spec),
        indexes=indexes(binding),
    )


def series_seconds(binding: Binding, spec: TimeSeries) -> int | None:
    """How long measurements are kept: said on the time series, or by `Ttl(after=)` on its time."""
    if spec.ttl is not None:
        return int(spec.ttl.total_seconds())
    time = binding.entity.ttl
    return time.ttl_after_seconds if time and time.name == spec.time else None


def _shape(binding: Binding) -> EntityShape:
    """The entity with its collection, its keys and how it is sharded, which a server alone does not report."""
    keys = (("collection", store_of(binding).name), *_keys(binding))
    found = tuple(
        FieldShape(one.path, one.stored, one.type, one.attribute.is_required and not one.attribute.is_nullable)
        for one in fields(binding)
    )
    return EntityShape(binding.name, keys, found, store_of(binding).schema_version)


def _keys(binding: Binding) -> Iterator[tuple[str, str]]:
    spec = store_of(binding)
    yield from ((argument, template.text) for argument, template in binding.templates.items())
    if isinstance(spec, TimeSeries):
        yield "time", f"{{{spec.time}}}"
        yield "meta", f"{{{spec.meta}}}"
    elif spec.shard_key:
        paths = [stored(binding, name) for name in names(spec.shard_key.on)]
        yield "shard_key", sharding.written(paths, is_hashed=spec.shard_key.hashed)
