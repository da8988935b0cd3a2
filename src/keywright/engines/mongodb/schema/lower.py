"""Lowers a design to MongoDB databases."""

from collections.abc import Iterator, Mapping

from keywright.declare.names import names
from keywright.declare.stream import Stream
from keywright.engines.contract.shape import EntityShape, FieldShape
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.json import Json

from ..declare.options import AnyCollection, Collection, MongoDatabase, TimeSeries
from .capabilities import CAPPED_MULTIPLE
from .fields import ID_INDEX, fields, id_attribute, stored
from .lower_index import indexes
from .reported import collation
from .target import CollectionTarget, DatabaseTarget, SeriesOptions, shard_key_text
from .validator import validator


def lower(design: Design[MongoDatabase, AnyCollection]) -> tuple[DatabaseTarget, ...]:
    """See `Engine.lower`."""
    return tuple(_database(physical, design.bindings_in(physical)) for physical in design.physicals)


def _database(physical: Physical, bindings: tuple[Binding[AnyCollection], ...]) -> DatabaseTarget:
    collections = sorted(map(_collection, bindings), key=lambda collection: (collection.name, collection.generation))
    return DatabaseTarget(physical.name, tuple(collections), tuple(entity_shape(binding) for binding in bindings))


def _collection(binding: Binding[AnyCollection]) -> CollectionTarget:
    spec = binding.spec
    return _series(binding, spec) if isinstance(spec, TimeSeries) else _documents(binding, spec)


def _documents(binding: Binding[AnyCollection], spec: Collection) -> CollectionTarget:
    rules = spec.settings.get("collation")
    return CollectionTarget(
        name=spec.name,
        generation=spec.generation,
        validator=None if spec.validation == "off" else validator(binding),
        level="moderate" if spec.validation == "moderate" else "strict",
        action="warn" if spec.validation == "warn" else "error",
        collation=collation(dict(rules)) if isinstance(rules, dict) else None,
        clustered=(ID_INDEX if spec.clustered is True else spec.clustered) or None,
        expire_after_seconds=id_seconds(binding),
        has_images=wants_images(spec.stream),
        others=_others(spec),
        indexes=indexes(binding),
    )


def id_seconds(binding: Binding[AnyCollection]) -> int | None:
    """The time after which documents of a clustered collection expire, by the time that is their `_id`."""
    expiry, spec = binding.entity.ttl, binding.spec
    is_clustered = isinstance(spec, Collection) and bool(spec.clustered)
    return expiry.ttl_after_seconds if is_clustered and expiry and expiry is id_attribute(binding) else None


def _others(spec: Collection) -> tuple[tuple[str, Json], ...]:
    """Settings as the server reports them."""
    others: dict[str, Json] = {}
    for key, value in spec.settings.items():
        if not isinstance(value, Mapping) and value is not False:
            others[key] = -(-int(value) // CAPPED_MULTIPLE) * CAPPED_MULTIPLE if key == "size" else value
    return tuple(sorted(others.items()))


def wants_images(stream: Stream | None) -> bool:
    """Whether change events contain more than the key: the server keeps images before and after together."""
    return stream is not None and stream.images != "keys"


def _series(binding: Binding[AnyCollection], spec: TimeSeries) -> CollectionTarget:
    return CollectionTarget(
        name=spec.name,
        generation=spec.generation,
        series=SeriesOptions(stored(binding, spec.time), stored(binding, spec.meta), spec.granularity),
        expire_after_seconds=series_seconds(binding, spec),
        indexes=indexes(binding),
    )


def series_seconds(binding: Binding[AnyCollection], spec: TimeSeries) -> int | None:
    """The time after which measurements expire: `ttl=` of the time series, or `Ttl(after=)` on its time."""
    if spec.ttl is not None:
        return int(spec.ttl.total_seconds())
    time = binding.entity.ttl
    return time.ttl_after_seconds if time and time.name == spec.time else None


def entity_shape(binding: Binding[AnyCollection]) -> EntityShape:
    """The entity with its collection, keys and sharding, which a server alone does not report."""
    keys = (("collection", binding.spec.name), *_keys(binding))
    field_shapes = tuple(
        FieldShape(
            field.path, field.stored, field.type, field.attribute.is_required and not field.attribute.is_nullable
        )
        for field in fields(binding)
    )
    return EntityShape(binding.name, keys, field_shapes, binding.spec.schema_version)


def _keys(binding: Binding[AnyCollection]) -> Iterator[tuple[str, str]]:
    spec = binding.spec
    yield from ((argument, template.text) for argument, template in binding.templates.items())
    if isinstance(spec, TimeSeries):
        yield "time", f"{{{spec.time}}}"
        yield "meta", f"{{{spec.meta}}}"
    elif spec.shard_key:
        paths = [stored(binding, name) for name in names(spec.shard_key.on)]
        yield "shard_key", shard_key_text(paths, is_hashed=spec.shard_key.hashed)
