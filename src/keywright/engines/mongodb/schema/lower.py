"""Lowers a design to MongoDB databases."""

from collections.abc import Iterator, Mapping

from keywright.declare.names import names
from keywright.declare.stream import Stream
from keywright.engines.contract.shape import EntityShape, FieldShape, embedded
from keywright.ir.attribute import Attribute, Struct
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import element
from keywright.ir.json import Json

from ..declare.options import AnyCollection, Collection, CollectionView, MongoDatabase, TimeSeries
from .capabilities import CAPPED_MULTIPLE
from .fields import ID_INDEX, chosen_type, fields, id_attribute, meta_path, stored, stored_name
from .filters import constant
from .lower_index import indexes
from .reported import collation
from .target import CollectionTarget, DatabaseTarget, SeriesOptions, shard_key_text, zones_text
from .typemap import native_type
from .validator import validator
from .views import source_of, view


def lower(design: Design[MongoDatabase, AnyCollection]) -> tuple[DatabaseTarget, ...]:
    """See `Engine.lower`."""
    return tuple(_database(physical, design.bindings_in(physical)) for physical in design.physicals)


def _database(physical: Physical, bindings: tuple[Binding[AnyCollection], ...]) -> DatabaseTarget:
    collections = sorted(_collections(bindings), key=lambda collection: (collection.name, collection.generation))
    return DatabaseTarget(physical.name, tuple(collections), tuple(entity_shape(binding) for binding in bindings))


def _collections(bindings: tuple[Binding[AnyCollection], ...]) -> Iterator[CollectionTarget]:
    for binding in bindings:
        spec = binding.spec
        if not isinstance(spec, CollectionView):
            yield _series(binding, spec) if isinstance(spec, TimeSeries) else _documents(binding, spec)
        elif (source := source_of(binding, bindings)) is not None:
            yield view(binding, spec, _documents(source, source.spec), source)


def _documents(binding: Binding[AnyCollection], spec: Collection) -> CollectionTarget:
    rules = spec.settings.get("collation")
    return CollectionTarget(
        name=spec.name,
        generation=spec.generation,
        validator=None if spec.treatment == "off" else validator(binding),
        level="moderate" if spec.treatment.startswith("moderate") else "strict",
        action="warn" if spec.treatment.endswith("warn") else "error",
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
        series=SeriesOptions(stored(binding, spec.time), meta_path(binding, spec), spec.granularity),
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
    """The entity with its collection, keys and sharding, which a server alone does not report.

    That of a view has no fields: it stores none, so that a migration converts only those of its collection.
    """
    keys = (("collection", binding.spec.name), *_keys(binding))
    field_shapes = () if isinstance(binding.spec, CollectionView) else fields_of(binding)
    return EntityShape(binding.name, keys, field_shapes, binding.spec.schema_version)


def fields_of(binding: Binding[AnyCollection]) -> tuple[FieldShape, ...]:
    """The fields of an entity's documents."""
    return tuple(
        field_shape
        for attribute in binding.entity.attributes
        for field_shape in _fields(binding, attribute, attribute.name, stored_name(binding, attribute))
    )


def _fields(binding: Binding[AnyCollection], attribute: Attribute, path: str, stored_path: str) -> Iterator[FieldShape]:
    kind = native_type(attribute.type, chosen_type(binding, path))
    field_shape = FieldShape(path, stored_path, kind, attribute.is_required and not attribute.is_nullable)
    yield field_shape
    inner = element(attribute.type)
    if isinstance(inner, Struct):

        def inside(attributes: tuple[Attribute, ...]) -> Iterator[FieldShape]:
            for part in attributes:
                yield from _fields(binding, part, f"{path}.{part.name}", f"{stored_path}.{part.stored}")

        yield from embedded(inner, field_shape, inside)


def _keys(binding: Binding[AnyCollection]) -> Iterator[tuple[str, str]]:
    spec = binding.spec
    yield from ((argument, template.text) for argument, template in binding.templates.items())
    if isinstance(spec, TimeSeries):
        yield "time", f"{{{spec.time}}}"
        if spec.meta is not None:
            yield "meta", f"{{{spec.meta}}}"
    elif isinstance(spec, Collection) and spec.shard_key:
        key = spec.shard_key
        paths = [stored(binding, name) for name in names(key.on)]
        yield "shard_key", shard_key_text(paths, stored(binding, key.hashed_field) if key.hashed_field else "")
        if key.zones:
            native = next(field.type for field in fields(binding) if field.path == names(key.on)[0])
            zones: Json = {zone: [constant(value, native) for value in values] for zone, values in key.zones.items()}
            yield "zones", zones_text(zones)
