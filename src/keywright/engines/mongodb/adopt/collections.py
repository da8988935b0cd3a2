"""Collections as declarations, each with its options and indexes."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any

from keywright.declare.store import VERSION
from keywright.declare.stream import Stream
from keywright.engines.contract.adoption import NotExpressed, Sample
from keywright.engines.contract.naming import class_name, field_name
from keywright.engines.infer import ClassNames, Inferred, infer, python_paths
from keywright.errors import NOWHERE, gathering
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import Entity
from keywright.record import replace

from ..declare.options import AnyCollection, Collection, MongoDatabase, TimeSeries
from ..schema.check import check
from ..schema.codec import split_name
from ..schema.fields import ID, ID_INDEX
from ..schema.lower import lower
from ..schema.lower_index import of_expiry, of_series
from ..schema.target import CollectionTarget, IndexTarget
from .indexes import NoWord, candidates
from .json_schema import is_closed, schema_of, with_samples, without
from .unseen import with_index_paths
from .values import kind_of
from .views import view_of

_VALIDATION = {
    ("strict", "error"): "strict",
    ("moderate", "error"): "moderate",
    ("strict", "warn"): "warn",
    ("moderate", "warn"): "moderate-warn",
}
"""The option of a collection by level and action of its validator."""

_KEY = "id"
"""Name in Python of a document's `_id`."""


class CollectionReader:
    """Reads the collections of one database."""

    def __init__(self, physical: Physical[MongoDatabase], collections: Iterable[CollectionTarget]) -> None:
        """collections: those of the database, whose classes have different names."""
        self._physical = physical
        self._classes: dict[str, str] = {}
        for collection in collections:
            self._classes[collection.physical_name] = class_name(collection.name, self._classes.values())
        self._names = ClassNames(self._classes.values())
        self.not_expressed: list[NotExpressed] = []
        self.comments: dict[tuple[str, str], str] = {}

    def binding(self, target: CollectionTarget, sample: Sample) -> Binding[AnyCollection] | None:
        """The declaration of a collection; None if its kind or its `_id` cannot be expressed."""
        path = f"collections/{target.physical_name}"
        entity_name = self._classes[target.physical_name]
        schema = schema_of(target.validator)
        if schema is None:
            documents = [without(item, {VERSION}) for item in sample.items]
            inferred = infer(documents, entity_name, kind_of, self._names)
        else:
            inferred = with_samples(schema, sample.items, entity_name, self._names)
        attributes, options = _identified(inferred)
        attributes = with_index_paths(attributes, target, entity_name, self._names)
        try:
            if "id" in options and not _is_key(attributes[0]):
                raise NoWord("an _id that is no single value of one type")
            kind, settings = _kind(target, attributes)
        except NoWord as error:
            self._miss(path, f"no word for {error}")
            return None
        is_strict = schema is not None and is_closed(schema)
        entity = Entity(entity_name, "", "", _expiring(attributes, target), is_strict)
        binding = self._bound(entity, kind, target, {**options, **settings})
        if schema is not None and (word := _VALIDATION.get((target.level, target.action))):
            validated = self._bound(entity, kind, target, {**options, **settings, "validation": word})
            binding = validated if _lowered(validated).validator == target.validator else binding
        if (rejection := next(check(_design(binding)), None)) is not None:
            self._miss(path, rejection.problem)
            return None
        if extra := [index.name for index in _lowered(binding).indexes if index not in target.indexes]:
            self._miss(path, f'its model implies the index "{extra[0]}", which the server does not have')
            return None
        self.comments |= inferred.comments
        return self._with_indexes(binding, target)

    def view(
        self, target: CollectionTarget, bindings: Iterable[Binding[AnyCollection]]
    ) -> Binding[AnyCollection] | None:
        """The declaration of a view of one of these entities; None if it cannot be expressed."""
        assert target.view is not None
        name, generation = split_name(target.view.on)
        sources = [
            binding
            for binding in bindings
            if isinstance(binding.spec, Collection)
            and (binding.spec.name, binding.spec.generation) == (name, generation)
        ]
        try:
            return view_of(
                target, self._classes[target.physical_name], sources, _python_paths(sources[0]) if sources else {}
            )
        except NoWord as error:
            self._miss(f"collections/{target.physical_name}", f"no word for {error}")
            return None

    def _with_indexes(self, binding: Binding[AnyCollection], target: CollectionTarget) -> Binding[AnyCollection]:
        own = _lowered(binding)
        expected = replace(target, indexes=(), validator=None, level="strict", action="error")
        for part in _differing(expected, replace(own, indexes=())):
            self._miss(f"collections/{target.physical_name}/{part}", f'no word for "{part}"')
        if target.validator != own.validator:
            for part in ("validator", "validationAction", "validationLevel"):
                self._miss(f"collections/{target.physical_name}/{part}", "it differs from the validator of the model")
        for index in target.indexes:
            if index in own.indexes:
                continue
            path = f"indexes/{target.physical_name}/{index.name}"
            try:
                declared = self._index(binding, index, target)
            except NoWord as error:
                self._miss(path, f"no word for {error}")
                continue
            if isinstance(declared, str):
                self._miss(path, declared)
            else:
                binding = declared
        return binding

    def _index(
        self, binding: Binding[AnyCollection], target: IndexTarget, collection: CollectionTarget
    ) -> Binding[AnyCollection] | str:
        """The binding with an index, or the reason why there is none."""
        reason = "its definition has no words"
        for index in candidates(target, _python_paths(binding), collection.collation):
            options = {**options_of(binding), "indexes": [*binding.spec.indexes, index]}
            extended = self._bound(binding.entity, type(binding.spec), collection, options)
            rejection = next(check(_design(extended)), None)
            if rejection is not None:
                reason = rejection.problem
            elif target in _lowered(extended).indexes:
                return extended
        return reason

    def _bound(
        self, entity: Entity, kind: type[AnyCollection], target: CollectionTarget, options: Mapping[str, Any]
    ) -> Binding[AnyCollection]:
        with gathering():
            spec: Any = kind(self._physical.spec, target.name, **options)
        return Binding(entity.name, entity, self._physical, spec, spec.templates, {}, NOWHERE)

    def _miss(self, path: str, reason: str) -> None:
        self.not_expressed.append(NotExpressed(path, reason))


def _identified(inferred: Inferred) -> tuple[tuple[Attribute, ...], dict[str, Any]]:
    """(fields, options of the collection): an ObjectId that the server generates is no field."""
    types = dict(inferred.types)
    identity = next((attribute for attribute in inferred.attributes if attribute.stored == ID), None)
    others = tuple(attribute for attribute in inferred.attributes if attribute is not identity)
    if identity is None or types.get(identity.name) == "objectId":
        types.pop(identity.name if identity else "", None)
        return others, {"types": types} if types else {}
    name = field_name(_KEY, {attribute.name for attribute in others})
    key = Attribute(name, name, name, identity.type, identity.is_nullable)
    return (key, *others), {"id": f"{{{name}}}", **({"types": types} if types else {})}


def _is_key(attribute: Attribute) -> bool:
    return isinstance(attribute.type, Scalar) and attribute.type.kind != "json" and not attribute.is_nullable


def _expiring(attributes: tuple[Attribute, ...], target: CollectionTarget) -> tuple[Attribute, ...]:
    """Fields with the expiry of a clustered collection, or of the first index that a `Ttl` field implies."""
    if target.clustered is not None and target.expire_after_seconds is not None and attributes[0].name == _KEY:
        return (replace(attributes[0], ttl_after_seconds=target.expire_after_seconds), *attributes[1:])
    for index in target.indexes:
        seconds, path = index.expire_after_seconds, index.keys[0][0]
        attribute = next((attribute for attribute in attributes if attribute.stored == path), None)
        if seconds is None or attribute is None or target.series or index != of_expiry(path, seconds, target.collation):
            continue
        if isinstance(attribute.type, Scalar) and attribute.type.kind == "datetime":
            expiring = replace(attribute, ttl_after_seconds=seconds)
            return tuple(expiring if other is attribute else other for other in attributes)
    return attributes


def _kind(target: CollectionTarget, attributes: tuple[Attribute, ...]) -> tuple[type[AnyCollection], dict[str, Any]]:
    """(class, options) of a collection; NoWord for a kind without a word."""
    others = dict(target.others)
    if "viewOn" in others:
        raise NoWord("a view")
    if target.series is not None:
        return TimeSeries, dict(_series(target, attributes))
    clustered = {"clustered": True if target.clustered == ID_INDEX else target.clustered} if target.clustered else {}
    stream = {"stream": Stream(consumers=[])} if target.has_images else {}
    settings = {**others, **({"collation": dict(target.collation)} if isinstance(target.collation, dict) else {})}
    return Collection, {"validation": "off", **clustered, **stream, **({"settings": settings} if settings else {})}


def _series(target: CollectionTarget, attributes: tuple[Attribute, ...]) -> Iterator[tuple[str, Any]]:
    series = target.series
    assert series is not None
    if series.granularity is None or series.others:
        raise NoWord("own bucket spans")
    names = {attribute.stored: attribute.name for attribute in attributes}
    yield "time", names[series.time]
    if series.meta is not None:
        yield "meta", names[series.meta]
        if of_series(series.meta, series.time) not in target.indexes:
            yield "meta_index", False
    if series.granularity != "seconds":
        yield "granularity", series.granularity
    if target.expire_after_seconds is not None:
        yield "ttl", timedelta(seconds=target.expire_after_seconds)


def _python_paths(binding: Binding[AnyCollection]) -> dict[str, str]:
    """Paths in Python by stored path; `_id` is the field that it stores."""
    paths = dict(python_paths(binding.entity.attributes))
    template = binding.templates.get("id")
    return {**paths, **({ID: template.lone.path} if template and template.lone else {})}


def options_of(binding: Binding[AnyCollection]) -> dict[str, Any]:
    """The options of a declaration other than its defaults."""
    spec, options = binding.spec, binding.spec.__options__
    return {
        name: value
        for name, value in vars(spec).items()
        if name in options.kinds and name not in options.subjects and value != options.defaults.get(name)
    }


def _design(binding: Binding[AnyCollection]) -> Design[Any, AnyCollection]:
    return Design((binding.entity,), (binding.physical,), (binding,))


def _lowered(binding: Binding[AnyCollection]) -> CollectionTarget:
    return lower(_design(binding))[0].collections[0]


def _differing(expected: CollectionTarget, own: CollectionTarget) -> Iterator[str]:
    """Names of the options, as the server reports them, that a declaration does not give."""
    if expected.collation != own.collation:
        yield "collation"
    if expected.has_images and not own.has_images:
        yield "changeStreamPreAndPostImages"
    if expected.expire_after_seconds != own.expire_after_seconds:
        yield "expireAfterSeconds"
    others = dict(own.others)
    yield from (name for name, value in expected.others if others.get(name) != value)
