"""Entities of one table: fields out of items, and templates or patterns of their keys."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.contract.naming import field_name
from keywright.engines.infer import ClassNames, infer
from keywright.ir.attribute import Attribute, Scalar, ScalarKind
from keywright.ir.entity import Entity
from keywright.ir.template import parse
from keywright.record import Record, replace

from ..schema.target import KeyPart, TableTarget
from .clusters import Cluster, Clusters
from .key_shapes import LEAST
from .key_template import Constants, pattern_of, template_of
from .times import plain_or_time, with_epochs
from .unambiguous import unambiguous
from .values import kind_of
from .words import OVERLOADED

_KINDS: Mapping[str, ScalarKind] = {"S": "string", "N": "decimal", "B": "bytes"}


class KeyedEntity(Record):
    """An entity with the templates of its key attributes."""

    entity: Entity
    """The entity."""
    templates: Mapping[str, str]
    """Templates by key attribute; other key attributes are fields."""
    types: Mapping[str, str] = {}
    """Native types other than the usual ones, by field."""
    discriminator: str = ""
    """Value of the table's discriminator; empty for the name of the class."""


class EntityReader:
    """Reads the entities of one table."""

    def __init__(
        self, target: TableTarget, classes: ClassNames, clusters: Clusters, fields: frozenset[str] = frozenset()
    ) -> None:
        """classes: of the file. clusters: all entities of the table. fields: key attributes that stay fields."""
        self._target, self._classes, self._clusters, self._fields = target, classes, clusters.clusters, fields
        self._hidden = clusters.discriminator
        self._words = frozenset(word for cluster in clusters.clusters for word in cluster.words)
        self._types = {part.attribute: part.type for part in key_parts(target)}
        self.comments: dict[tuple[str, str], str] = {}

    def entities(self, names: Sequence[str]) -> list[KeyedEntity]:
        """The entities, with these names. A single one has all attributes that the schema names."""
        is_only = len(self._clusters) == 1
        pairs = zip(names, self._clusters, strict=True)
        return [self._entity(name, cluster, is_only=is_only) for name, cluster in pairs]

    def _entity(self, name: str, cluster: Cluster, *, is_only: bool) -> KeyedEntity:
        inferred = infer(cluster.items, name, kind_of, self._classes)
        self.comments |= inferred.comments
        attributes, types = with_epochs(map(self._typed, inferred.attributes), cluster.items)
        templates: dict[str, str] = {}
        if cluster.words:
            constants = Constants(cluster.words, len(cluster.items) >= LEAST)
            attributes, templates = self._keyed(attributes, cluster.items, constants)
        left_out = {*templates, self._hidden}
        kept = [attribute for attribute in attributes if attribute.stored not in left_out]
        kept += self._unseen(kept, templates) if is_only else []
        types = {field.name: types[field.name] for field in kept if field.name in types}
        entity = Entity(name, "", "", tuple(kept))
        return KeyedEntity(entity, templates, types, cluster.name if self._hidden else "")

    def _keyed(
        self, attributes: tuple[Attribute, ...], items: Sequence[Mapping[str, Any]], constants: Constants
    ) -> tuple[tuple[Attribute, ...], dict[str, str]]:
        """(fields, templates): key attributes from other fields, then from those that remain fields."""
        templates: dict[str, str] = {}
        used: set[str] = set()
        for key in _templated(self._target):
            if key in used or key in self._fields or not _are_texts(items, key):
                continue
            overloaded = {*self._own_keys(), *filter(OVERLOADED.search, self._types), self._hidden, *templates}
            sources = [field for field in attributes if field.stored not in overloaded]
            is_first = key == self._target.keys[0].attribute
            own = [] if is_first else [field for field in attributes if field.stored in self._own_keys()]
            own = [field for field in own if field.stored not in templates]
            for fields in (sources, [*sources, *own]):
                fields = [field for field in fields if field.stored != key]
                values = [
                    {field.name: plain_or_time(field, item[field.stored]) for field in fields if field.stored in item}
                    for item in items
                ]
                template = template_of([item[key] for item in items], values, constants)
                narrowed = template and unambiguous(template, attributes, values, is_ordered=self._is_ordered(key))
                if template and narrowed:
                    templates[key], attributes = template, narrowed
                    paths = {placeholder.path for placeholder in parse(template).placeholders}
                    used |= {field.stored for field in attributes if field.name in paths}
                    break
        patterned = replace(constants, words=self._words)
        for key in (key for key in self._types if key not in templates and _are_texts(items, key)):
            if self._types[key] == "S" and (pattern := pattern_of([item[key] for item in items], patterned)):
                attributes = tuple(
                    _with_pattern(field, pattern) if field.stored == key else field for field in attributes
                )
        return attributes, templates

    def _own_keys(self) -> tuple[str, ...]:
        return tuple(part.attribute for part in self._target.keys)

    def _is_ordered(self, key: str) -> bool:
        """Whether a key attribute is compared by order in the table or in an index."""
        return any(part.attribute == key and part.role == "RANGE" for part in key_parts(self._target))

    def _unseen(self, attributes: Sequence[Attribute], templates: Mapping[str, str]) -> list[Attribute]:
        """Key attributes, projected ones and the expiry that no item shows."""
        key = {part.attribute for part in self._target.keys}
        stored = {*templates, *(attribute.stored for attribute in attributes)}
        wanted_names = dict.fromkeys([*self._types, *_projected(self._target), *filter(None, [self._target.ttl])])
        unseen: list[Attribute] = []
        for name in wanted_names:
            if name not in stored:
                python = field_name(name, {attribute.name for attribute in (*attributes, *unseen)})
                kind: ScalarKind = _KINDS[self._types[name]] if name in self._types else "json"
                is_key = name in key
                added = Attribute(python, name, name, Scalar(kind), not is_key, is_key, not is_key)
                unseen.append(self._typed(added))
        return unseen

    def _typed(self, attribute: Attribute) -> Attribute:
        """A field of the type that its key has; the expiry is a datetime."""
        name, type = attribute.stored, attribute.type
        if name == self._target.ttl and isinstance(type, Scalar) and type.kind in ("integer", "decimal", "json"):
            return replace(attribute, type=Scalar("datetime"), ttl_after_seconds=0)
        if self._types.get(name) == "N" and isinstance(type, Scalar) and type.kind == "integer":
            return attribute
        if name in {part.attribute for part in self._target.keys}:
            return replace(attribute, is_nullable=False, is_required=True, is_none_by_default=False)
        return attribute


def _templated(target: TableTarget) -> Iterator[str]:
    """Key attributes that templates can fill: of the table, and of indexes with one attribute for each part."""
    yield from dict.fromkeys(part.attribute for part in _filled(target) if part.type == "S")


def _filled(target: TableTarget) -> Iterable[KeyPart]:
    yield from target.keys
    for index in target.indexes:
        if len({part.role for part in index.keys}) == len(index.keys):
            yield from index.keys


def _are_texts(items: Sequence[Mapping[str, Any]], key: str) -> bool:
    return bool(items) and all(isinstance(item.get(key), str) for item in items)


def _with_pattern(attribute: Attribute, pattern: str) -> Attribute:
    assert isinstance(attribute.type, Scalar)
    return replace(attribute, type=replace(attribute.type, pattern=pattern))


def key_parts(target: TableTarget) -> list[KeyPart]:
    """The key attributes of a table and of its indexes."""
    return [*target.keys, *(part for index in (*target.indexes, *target.local_indexes) for part in index.keys)]


def _projected(target: TableTarget) -> list[str]:
    return [name for index in (*target.indexes, *target.local_indexes) for name in index.included]
