"""Conditions that distinguish an entity's items from those of others in the same partitions."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Protocol

from keywright.engines.contract.shape import Discriminator, EntityShape
from keywright.ir.attribute import Attribute
from keywright.ir.key_texts import Piece, can_begin, can_share, pieces
from keywright.ir.template import Template, lone
from keywright.record import Record, replace

from ..schema.target import IndexTarget, TableTarget
from .templates import always, computed_of, expanded, named_of, parse


class DiscriminatorConditions(Record):
    """Conditions that exclude items of other entities from a read."""

    by_sort_key: bool = True
    """Whether no other entity can have one of its complete sort keys."""
    by_prefix: bool = True
    """Whether no other entity's sort key begins with the constant prefix of its sort keys."""
    is_alone: bool = True
    """Whether its partitions contain no other entity."""
    by_attribute: bool = True
    """Whether the other entities have other discriminators."""
    by_key: tuple[str, str] | None = None
    """(attribute, prefix) of the table's key that only its own items in these partitions have."""


class KeyConditions(Protocol):
    """Template of a key attribute."""

    @property
    def template(self) -> Template:
        """Template of its value."""


KeyPieces = tuple[tuple[Piece, ...], ...]


class Neighbours:
    """Entities of one table, by index and by the prefixes of their partition keys."""

    def __init__(self, table: TableTarget) -> None:
        self.table = table
        self.shapes = {shape.name: shape for shape in table.shape}
        self._in: dict[str, tuple[list[str], dict[str, list[tuple[EntityShape, KeyPieces]]]]] = {}

    def discriminators(
        self,
        shape: EntityShape,
        index: IndexTarget | None,
        hashes: tuple[KeyConditions, ...],
        sorts: tuple[KeyConditions, ...],
        attributes: tuple[Attribute, ...],
    ) -> DiscriminatorConditions:
        """Conditions that distinguish an entity's items in an index."""
        if len(self.shapes) == 1:
            return ALONE
        own_sort = pieces(sorts[0].template, attributes) if sorts else ()
        prefix = sorts[0].template.head if sorts else ""
        prefix_pieces = tuple(Piece(frozenset(letter), 1) for letter in prefix)
        discriminators, others = ALONE, list[EntityShape]()
        for other, key_pieces in self._sharing(shape, index, hashes, attributes):
            others.append(other)
            other_sort = key_pieces[len(hashes)] if len(key_pieces) > len(hashes) else ()
            discriminators = DiscriminatorConditions(
                by_sort_key=discriminators.by_sort_key and bool(sorts) and not can_share(own_sort, other_sort),
                by_prefix=discriminators.by_prefix and bool(prefix) and not can_begin(prefix_pieces, other_sort),
                is_alone=False,
                by_attribute=discriminators.by_attribute and _differ(shape.discriminator, other.discriminator),
            )
        return replace(discriminators, by_key=self._by_key(shape, others)) if others else discriminators

    def everywhere(self, shape: EntityShape, index: IndexTarget | None) -> DiscriminatorConditions:
        """Conditions that distinguish an entity's items from all others in the table or an index."""
        others = [other for other in self.shapes.values() if other is not shape and self._templates(other, index)]
        if not others:
            return ALONE
        return DiscriminatorConditions(
            is_alone=False,
            by_attribute=all(_differ(shape.discriminator, other.discriminator) for other in others),
            by_key=self._by_key(shape, others),
        )

    def between(
        self,
        shape: EntityShape,
        index: IndexTarget | None,
        hashes: tuple[KeyConditions, ...],
        attributes: tuple[Attribute, ...],
        bounds: tuple[str, str],
    ) -> Iterator[EntityShape]:
        """Other entities with sort keys from the first of two texts to the last text that begins with the second."""
        low, high = bounds
        for other, key_pieces in self._sharing(shape, index, hashes, attributes):
            head = self._templates(other, index)[len(hashes)].head if len(key_pieces) > len(hashes) else ""
            is_below = head < low and not low.startswith(head)
            is_above = head > high and not head.startswith(high)
            if not (is_below or is_above):
                yield other

    def _sharing(
        self,
        shape: EntityShape,
        index: IndexTarget | None,
        hashes: tuple[KeyConditions, ...],
        attributes: tuple[Attribute, ...],
    ) -> Iterator[tuple[EntityShape, KeyPieces]]:
        """Other entities that can be in the same partitions."""
        own_pieces = tuple(pieces(conditions.template, attributes) for conditions in hashes)
        for other, key_pieces in self._near(index, hashes[0].template.head):
            if other is not shape and all(map(can_share, own_pieces, key_pieces)):
                yield other, key_pieces

    def _by_key(self, shape: EntityShape, others: list[EntityShape]) -> tuple[str, str] | None:
        """Prefix of the table's key that distinguishes an entity from others."""
        for position, key in enumerate(self.table.keys):
            own_templates, prefix = self._templates(shape, None), ""
            if position < len(own_templates):
                prefix = own_templates[position].head
            prefix_pieces = tuple(Piece(frozenset(letter), 1) for letter in prefix)
            other_templates = [self._templates(other, None) for other in others]
            if (
                prefix
                and key.type == "S"
                and not any(can_begin(prefix_pieces, pieces(templates[position], ())) for templates in other_templates)
            ):
                return key.attribute, prefix
        return None

    def _near(self, index: IndexTarget | None, prefix: str) -> list[tuple[EntityShape, KeyPieces]]:
        """Entities whose partition keys could equal one with this prefix."""
        name = index.name if index else ""
        if name not in self._in:
            self._in[name] = self._sorted(index)
        prefixes, by_prefix = self._in[name]
        entities = [entity for end in range(len(prefix)) for entity in by_prefix.get(prefix[:end], ())]
        for other_prefix in prefixes[bisect_left(prefixes, prefix) :]:
            if not other_prefix.startswith(prefix):
                break
            entities += by_prefix[other_prefix]
        return entities

    def _sorted(self, index: IndexTarget | None) -> tuple[list[str], dict[str, list[tuple[EntityShape, KeyPieces]]]]:
        by_prefix: dict[str, list[tuple[EntityShape, KeyPieces]]] = {}
        for shape in self.shapes.values():
            templates = self._templates(shape, index)
            if templates:
                key_pieces = tuple(pieces(template, ()) for template in templates)
                by_prefix.setdefault(templates[0].head, []).append((shape, key_pieces))
        return sorted(by_prefix), by_prefix

    def _templates(self, shape: EntityShape, index: IndexTarget | None) -> tuple[Template, ...]:
        """Templates of an entity's key in the table or an index; empty if the index does not contain it.

        Only the names of other entities' fields are known, so their values count as any text.
        """
        keys, computed = dict(shape.keys), computed_of(shape)
        names, filled = named_of(shape, computed), always(shape, self.table)
        is_local = index is not None and index in self.table.local_indexes
        prefix = f'gsi "{index.name}" ' if index is not None and not is_local else ""
        templates: list[Template] = []
        for key in index.keys if index else self.table.keys:
            is_own = is_local and key.role == "RANGE"
            text = None if is_own else keys.get(f"{prefix}{'pk' if key.role == 'HASH' else 'sk'}")
            if text is not None:
                template = parse(text)
            elif key.attribute in names:
                template = lone(names[key.attribute])
            elif key.attribute in filled:
                template = parse(filled[key.attribute])
            else:
                return ()
            templates.append(expanded(template, computed))
        return tuple(templates)


def _differ(own: Discriminator | None, other: Discriminator | None) -> bool:
    return own is not None and other is not None and not set(own.values) & set(other.values)


ALONE = DiscriminatorConditions()
