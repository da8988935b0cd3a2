"""Declarations of one table with known entities: the inverse of `lower`."""

from collections.abc import Mapping, Sequence
from typing import Any

from keywright.declare.stream import Stream
from keywright.engines.contract.adoption import Adopted, NotExpressed
from keywright.errors import NOWHERE, gathering
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import Entity
from keywright.ir.pattern import Pattern
from keywright.ir.time_precision import precise

from ..declare.options import DynamoTable, Gsi, GsiKey, Item, Lsi
from ..schema.check import check
from ..schema.lower import STREAMS
from ..schema.target import IndexTarget, TableTarget
from .entities import KeyedEntity


class TableDeclarations:
    """Makes the declarations of one table."""

    def __init__(self, target: TableTarget, discriminator: str | None) -> None:
        self._target, self._discriminator = target, discriminator
        self._names: dict[str, str] = {}

    def adopted(
        self,
        entities: Sequence[KeyedEntity],
        comments: Mapping[tuple[str, str], str],
        patterns: tuple[Pattern, ...] = (),
        missing: Sequence[NotExpressed] = (),
    ) -> Adopted | str:
        """The declarations, or the reason why there are none."""
        table, gsis = self._table([keyed.entity for keyed in entities])
        if isinstance(table, str):
            return table
        physical = Physical("dynamodb", table.name, table.name, table, NOWHERE)
        bindings: list[Binding[Item]] = []
        for keyed in entities:
            binding = self._binding(keyed, physical, gsis)
            if isinstance(binding, str):
                return binding
            bindings.append(binding)
        design = Design(tuple(keyed.entity for keyed in entities), (physical,), tuple(bindings), patterns)
        rejection = next(check(design), None)
        ttl = [self._unseen_ttl()] if self._target.ttl and not any(keyed.entity.ttl for keyed in entities) else []
        return rejection.problem if rejection else Adopted(design, comments, (*ttl, *missing))

    def _unseen_ttl(self) -> NotExpressed:
        return NotExpressed("ttl", f'"{self._target.ttl}" is not a number of seconds in the sampled items')

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
        self, keyed: KeyedEntity, physical: Physical[DynamoTable], gsis: Mapping[str, Gsi]
    ) -> Binding[Item] | str:
        table, entity, templates = physical.spec, keyed.entity, keyed.templates
        own = {"pk": templates.get(self._target.keys[0].attribute)}
        if len(self._target.keys) > 1:
            own["sk"] = templates.get(self._target.keys[1].attribute)
        keys = [key for index in self._target.indexes if (key := _index_key(index, gsis[index.name], templates))]
        options: dict[str, Any] = {name: text for name, text in own.items() if text is not None}
        options |= {"gsis": keys} if keys else {}
        options |= {"types": dict(keyed.types)} if keyed.types else {}
        options |= {"discriminator": keyed.discriminator} if keyed.discriminator not in ("", entity.name) else {}
        with gathering() as errors:
            item = Item(table, **options)
        if errors:
            return errors[0].problem
        filled = {argument: precise(template, entity.attributes) for argument, template in item.templates.items()}
        return Binding(entity.name, entity, physical, item, filled, {}, NOWHERE)


_IMAGES: Mapping[str, Any] = {images: word for word, images in STREAMS.items()}


def _index_key(index: IndexTarget, gsi: Gsi, templates: Mapping[str, str]) -> GsiKey | None:
    """An entity's key in an index; None if its attributes are fields, or belong to the table's key."""
    texts = {part.role: templates.get(part.attribute) for part in index.keys}
    if len(index.keys) > 2 or not any(texts.values()):
        return None
    filled: dict[str, Any] = {"pk": texts.get("HASH"), "sk": texts.get("RANGE")}
    return gsi.key(**{name: text for name, text in filled.items() if text is not None})
