"""Tables as declarations, each with its entities and indexes."""

from collections.abc import Mapping, Sequence
from typing import Any

from keywright.declare.stream import Stream
from keywright.engines.contract.adoption import Adopted, NotExpressed, Sample
from keywright.engines.contract.naming import class_name, field_name
from keywright.engines.infer import ClassNames, infer
from keywright.errors import NOWHERE, gathering
from keywright.ir.attribute import Attribute, Scalar, ScalarKind
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import Entity
from keywright.record import replace

from ..declare.options import DynamoTable, Gsi, GsiKey, Item, Lsi
from ..declare.settings import DynamoEnvironment
from ..schema.check import check
from ..schema.lower import STREAMS
from ..schema.target import IndexTarget, TableTarget
from .clusters import Cluster, clusters_of
from .key_template import template_of
from .values import kind_of, plain

_KINDS: Mapping[str, ScalarKind] = {"S": "string", "N": "decimal", "B": "bytes"}


def adopt(target: TableTarget, samples: Mapping[str, Sample], environment: DynamoEnvironment) -> Adopted:
    """See `Adoption.adopt`: entities out of sampled items; without items, an entity with the attributes of all keys."""
    stored = (item for sample in samples.values() for item in sample.items)
    items = [{name: plain(value) for name, value in item.items()} for item in stored]
    keys = [part.attribute for part in target.keys]
    clusters = clusters_of(items, keys, target.name) if items else None
    if clusters is not None and len(clusters.clusters) > 1:
        adopted = _Reader(target, clusters.discriminator).adopted(clusters.clusters)
        if isinstance(adopted, Adopted):
            return adopted
    single = _Reader(target, None).adopted((Cluster(target.name, tuple(items)),))
    return single if isinstance(single, Adopted) else Adopted(Design(), {}, (NotExpressed("keys", single),))


class _Reader:
    """Reads the entities of one table."""

    def __init__(self, target: TableTarget, discriminator: str | None) -> None:
        self._target, self._discriminator = target, discriminator
        self._types = {part.attribute: part.type for part in _key_parts(target)}
        self._names: dict[str, str] = {}
        self.comments: dict[tuple[str, str], str] = {}

    def adopted(self, clusters: Sequence[Cluster]) -> Adopted | str:
        """The declarations, or the reason why there are none."""
        names: list[str] = []
        for cluster in clusters:
            names.append(cluster.name if self._discriminator else class_name(cluster.name, names))
        classes = ClassNames(names)
        entities = [
            self._entity(name, cluster, classes, is_only=len(clusters) == 1)
            for name, cluster in zip(names, clusters, strict=True)
        ]
        table, gsis = self._table([entity for entity, _ in entities])
        if isinstance(table, str):
            return table
        physical = Physical("dynamodb", table.name, table.name, table, NOWHERE)
        bindings = tuple(self._binding(entity, templates, physical, gsis) for entity, templates in entities)
        design = Design(tuple(entity for entity, _ in entities), (physical,), bindings)
        missing: tuple[NotExpressed, ...] = ()
        if self._target.ttl and not any(entity.ttl for entity, _ in entities):
            missing = (NotExpressed("ttl", f'"{self._target.ttl}" is not a number of seconds in the sampled items'),)
        rejection = next(check(design), None)
        return rejection.problem if rejection else Adopted(design, self.comments, missing)

    def _entity(
        self, name: str, cluster: Cluster, classes: ClassNames, *, is_only: bool
    ) -> tuple[Entity, dict[str, str]]:
        """(entity, templates by key attribute)."""
        inferred = infer(cluster.items, name, kind_of, classes)
        self.comments |= inferred.comments
        templates: dict[str, str] = {}
        python = {field.stored: field.name for field in inferred.attributes if field.stored not in self._types}
        for attribute in self._types if cluster.items and not is_only else ():
            keys = [item.get(attribute) for item in cluster.items]
            others = [{python[key]: value for key, value in item.items() if key in python} for item in cluster.items]
            texts = [key for key in keys if isinstance(key, str)]
            if len(texts) == len(keys) and (template := template_of(texts, others)) is not None:
                templates[attribute] = template
        left_out = {*templates, self._discriminator}
        attributes = [attribute for attribute in inferred.attributes if attribute.stored not in left_out]
        attributes += self._unseen(attributes, is_only=is_only)
        return Entity(name, "", "", tuple(map(self._typed, attributes))), templates

    def _unseen(self, attributes: Sequence[Attribute], *, is_only: bool) -> list[Attribute]:
        """Key attributes, projected ones and the expiry that no item shows."""
        if not is_only:
            return []
        key = {part.attribute for part in self._target.keys}
        stored = {attribute.stored for attribute in attributes}
        wanted_names = dict.fromkeys([*self._types, *_projected(self._target), *filter(None, [self._target.ttl])])
        unseen: list[Attribute] = []
        for name in wanted_names:
            if name not in stored:
                python = field_name(name, {attribute.name for attribute in (*attributes, *unseen)})
                kind: ScalarKind = _KINDS[self._types[name]] if name in self._types else "json"
                is_key = name in key
                unseen.append(Attribute(python, name, name, Scalar(kind), not is_key, is_key, not is_key))
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

    def _table(self, entities: Sequence[Entity]) -> tuple[DynamoTable | str, dict[str, Gsi]]:
        """(table or the reason why there is none, indexes by name)."""
        target = self._target
        self._names = {attribute.stored: attribute.name for entity in entities for attribute in entity.attributes}
        hash_key, *range_keys = (self._names.get(part.attribute, part.attribute) for part in target.keys)
        with gathering() as errors:
            gsis = {index.name: self._gsi(index) for index in target.indexes}
            lsis = [
                Lsi(index.name, sk=self._named(index.keys[1].attribute), **self._projection(index))
                for index in target.local_indexes
            ]
            options: dict[str, Any] = {
                **({"pk": hash_key} if hash_key != "pk" else {}),
                **({"sk": range_keys[0] if range_keys else None} if range_keys != ["sk"] else {}),
                **({"gsis": [*gsis.values()]} if gsis else {}),
                **({"lsis": lsis} if lsis else {}),
                **({"discriminator": self._discriminator} if self._discriminator != "entity_type" else {}),
                **({"stream": Stream(images=_IMAGES[target.stream], consumers=[])} if target.stream else {}),
            }
            table = DynamoTable(target.name, **options)
        return (errors[0].problem if errors else table), gsis

    def _gsi(self, index: IndexTarget) -> Gsi:
        hashes = [self._named(part.attribute) for part in index.keys if part.role == "HASH"]
        ranges = [self._named(part.attribute) for part in index.keys if part.role == "RANGE"]
        sort: dict[str, Any] = {"sk": ranges[0] if len(ranges) == 1 else ranges} if ranges else {}
        return Gsi(index.name, pk=hashes[0] if len(hashes) == 1 else hashes, **sort, **self._projection(index))

    def _projection(self, index: IndexTarget) -> dict[str, Any]:
        if index.projection == "INCLUDE":
            return {"project": [self._named(name) for name in index.included]}
        return {"project": "keys"} if index.projection == "KEYS_ONLY" else {}

    def _named(self, stored: str) -> str:
        return self._names.get(stored, stored)

    def _binding(
        self, entity: Entity, templates: Mapping[str, str], physical: Physical[DynamoTable], gsis: Mapping[str, Gsi]
    ) -> Binding[Item]:
        table = physical.spec
        own = {"pk": templates.get(self._target.keys[0].attribute)}
        if len(self._target.keys) > 1:
            own["sk"] = templates.get(self._target.keys[1].attribute)
        keys = [key for index in self._target.indexes if (key := _index_key(index, gsis[index.name], templates))]
        options: dict[str, Any] = {name: text for name, text in own.items() if text is not None}
        options |= {"gsis": keys} if keys else {}
        with gathering():
            item = Item(table, **options)
        return Binding(entity.name, entity, physical, item, item.templates, {}, NOWHERE)


_IMAGES: Mapping[str, Any] = {images: word for word, images in STREAMS.items()}


def _index_key(index: IndexTarget, gsi: Gsi, templates: Mapping[str, str]) -> GsiKey | None:
    """An entity's key in an index; None if its attributes are fields, or belong to the table's key."""
    texts = {part.role: templates.get(part.attribute) for part in index.keys}
    if len(index.keys) > 2 or not any(texts.values()):
        return None
    filled: dict[str, Any] = {"pk": texts.get("HASH"), "sk": texts.get("RANGE")}
    return gsi.key(**{name: text for name, text in filled.items() if text is not None})


def _key_parts(target: TableTarget) -> list[Any]:
    return [*target.keys, *(part for index in (*target.indexes, *target.local_indexes) for part in index.keys)]


def _projected(target: TableTarget) -> list[str]:
    return [name for index in (*target.indexes, *target.local_indexes) for name in index.included]
