"""Tables as declarations, each with its entities and indexes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.declare.stream import Stream
from keywright.engines.contract.adoption import Adopted, NotExpressed, Sample
from keywright.engines.contract.naming import class_name
from keywright.engines.infer import ClassNames
from keywright.errors import NOWHERE, gathering
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import Entity
from keywright.ir.text import counted

from ..declare.options import DynamoTable, Gsi, GsiKey, Item, Lsi
from ..declare.settings import DynamoEnvironment
from ..schema.check import check
from ..schema.lower import STREAMS
from ..schema.target import IndexTarget, TableTarget
from .clusters import Clusters, clusters_of
from .entities import EntityReader, KeyedEntity
from .values import plain


def adopt(target: TableTarget, samples: Mapping[str, Sample], environment: DynamoEnvironment) -> Adopted:
    """See `Adoption.adopt`: entities out of sampled items; without items, an entity with the attributes of all keys."""
    items = [plain(item) for sample in samples.values() for item in sample.items]
    kinds = [kind for sample in samples.values() for kind in sample.kinds]
    keys = [part.attribute for part in target.keys]
    names = [target.name, *(index.name for index in (*target.indexes, *target.local_indexes))]
    reason = ""
    for clusters in clusters_of(items, keys, target.name, names, kinds):
        adopted = _Reader(target, clusters).adopted()
        if isinstance(adopted, Adopted):
            return adopted
        reason = adopted
    return Adopted(Design(), {}, (NotExpressed("keys", reason),))


class _Reader:
    """Reads one table whose entities are known."""

    def __init__(self, target: TableTarget, clusters: Clusters) -> None:
        self._target, self._clusters = target, clusters
        self._discriminator = clusters.discriminator
        self._names: dict[str, str] = {}

    def adopted(self) -> Adopted | str:
        """The declarations, or the reason why there are none."""
        clusters = self._clusters.clusters
        names: list[str] = []
        for cluster in clusters:
            names.append(cluster.name if self._discriminator else class_name(cluster.name, names))
        reader = EntityReader(self._target, ClassNames(names), self._clusters)
        entities = reader.entities(names)
        if mixed := _mixed(entities):
            reader = EntityReader(self._target, ClassNames(names), self._clusters, mixed)
            entities = reader.entities(names)
        table, gsis = self._table([keyed.entity for keyed in entities])
        if isinstance(table, str):
            return table
        physical = Physical("dynamodb", table.name, table.name, table, NOWHERE)
        bindings = tuple(self._binding(keyed, physical, gsis) for keyed in entities)
        design = Design(tuple(keyed.entity for keyed in entities), (physical,), bindings)
        rejection = next(check(design), None)
        missing = tuple(self._missing(design))
        return rejection.problem if rejection else Adopted(design, reader.comments, missing)

    def _missing(self, design: Design[DynamoTable, Item]) -> Iterator[NotExpressed]:
        if self._target.ttl and not any(entity.ttl for entity in design.entities):
            yield NotExpressed("ttl", f'"{self._target.ttl}" is not a number of seconds in the sampled items')
        if others := self._clusters.others:
            keys = " and ".join(f'"{part.attribute}"' for part in self._target.keys)
            yield NotExpressed("items", f"{counted(len(others), 'sampled item')} without words in {keys}: no entity")

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

    def _binding(self, keyed: KeyedEntity, physical: Physical[DynamoTable], gsis: Mapping[str, Gsi]) -> Binding[Item]:
        table, entity, templates = physical.spec, keyed.entity, keyed.templates
        own = {"pk": templates.get(self._target.keys[0].attribute)}
        if len(self._target.keys) > 1:
            own["sk"] = templates.get(self._target.keys[1].attribute)
        keys = [key for index in self._target.indexes if (key := _index_key(index, gsis[index.name], templates))]
        options: dict[str, Any] = {name: text for name, text in own.items() if text is not None}
        options |= {"gsis": keys} if keys else {}
        with gathering():
            item = Item(table, **options)
        return Binding(entity.name, entity, physical, item, item.templates, {}, NOWHERE)


def _mixed(entities: Sequence[KeyedEntity]) -> frozenset[str]:
    """Attributes that templates fill in some entities, and that are fields with another name in Python in others."""
    filled = {attribute for keyed in entities for attribute in keyed.templates}
    fields = (attribute for keyed in entities for attribute in keyed.entity.attributes)
    return frozenset(field.stored for field in fields if field.name != field.stored and field.stored in filled)


_IMAGES: Mapping[str, Any] = {images: word for word, images in STREAMS.items()}


def _index_key(index: IndexTarget, gsi: Gsi, templates: Mapping[str, str]) -> GsiKey | None:
    """An entity's key in an index; None if its attributes are fields, or belong to the table's key."""
    texts = {part.role: templates.get(part.attribute) for part in index.keys}
    if len(index.keys) > 2 or not any(texts.values()):
        return None
    filled: dict[str, Any] = {"pk": texts.get("HASH"), "sk": texts.get("RANGE")}
    return gsi.key(**{name: text for name, text in filled.items() if text is not None})
