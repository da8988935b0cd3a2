"""How the items of one entity are told from those of others that share its partitions."""

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import Protocol

from keywright.engines.shape import EntityShape
from keywright.ir.attribute import Attribute
from keywright.ir.keytext import Piece, can_begin, can_share, pieces
from keywright.ir.template import Template

from ..target import IndexTarget, TableTarget
from .templates import computed_of, expanded, named_of, parse


@dataclass(frozen=True, slots=True)
class Telling:
    """What it takes to read one entity's items only."""

    by_one: bool = True
    """Whether nothing else has a whole sort key of its."""
    by_head: bool = True
    """Whether nothing else's sort key begins as all of its do."""
    is_alone: bool = True
    """Whether nothing else is in its partitions."""
    by_mark: bool = True
    """Whether what else is there has another discriminator."""
    by_key: tuple[str, str] | None = None
    """(attribute, text) of the table's key with which all of its begin, and nothing else that is there does."""


class Keyed(Protocol):
    """What is asked of a key attribute."""

    @property
    def template(self) -> Template:
        """What fills it."""


Written = tuple[tuple[Piece, ...], ...]


class Neighbours:
    """The entities of one table, by index and by how their partition keys begin."""

    def __init__(self, table: TableTarget) -> None:
        self.table = table
        self.shapes = {shape.name: shape for shape in table.shape}
        self._in: dict[str, tuple[list[str], dict[str, list[tuple[EntityShape, Written]]]]] = {}

    def telling(
        self,
        shape: EntityShape,
        index: IndexTarget,
        hashes: tuple[Keyed, ...],
        sorts: tuple[Keyed, ...],
        attributes: tuple[Attribute, ...],
    ) -> Telling:
        """How an entity's items in an index are told from others."""
        if len(self.shapes) == 1:
            return ALONE
        own = tuple(pieces(one.template, attributes) for one in hashes)
        sort = pieces(sorts[0].template, attributes) if sorts else ()
        head = sorts[0].template.head if sorts else ""
        beginning = tuple(Piece(frozenset(letter), 1) for letter in head)
        found, others = ALONE, list[EntityShape]()
        for other, written in self._near(index, hashes[0].template.head):
            if other is shape or not all(map(can_share, own, written)):
                continue
            others.append(other)
            theirs = written[len(own)] if len(written) > len(own) else ()
            found = Telling(
                by_one=found.by_one and bool(sorts) and not can_share(sort, theirs),
                by_head=found.by_head and bool(head) and not can_begin(beginning, theirs),
                is_alone=False,
                by_mark=found.by_mark and bool(shape.mark and other.mark and shape.mark[1] != other.mark[1]),
            )
        return replace(found, by_key=self._by_key(shape, others)) if others else found

    def _by_key(self, shape: EntityShape, others: list[EntityShape]) -> tuple[str, str] | None:
        """The beginning of the table's key by which an entity is told from others."""
        for at, key in enumerate(self.table.keys):
            own, head = self._templates(shape, None), ""
            if at < len(own):
                head = own[at].head
            beginning = tuple(Piece(frozenset(letter), 1) for letter in head)
            written = [self._templates(other, None) for other in others]
            if head and key.type == "S" and not any(can_begin(beginning, pieces(one[at], ())) for one in written):
                return key.attribute, head
        return None

    def _near(self, index: IndexTarget | None, head: str) -> list[tuple[EntityShape, Written]]:
        """Entities whose partition keys could equal one that begins with the head."""
        name = index.name if index else ""
        if name not in self._in:
            self._in[name] = self._sorted(index)
        heads, by_head = self._in[name]
        found = [one for at in range(len(head)) for one in by_head.get(head[:at], ())]
        for longer in heads[bisect_left(heads, head) :]:
            if not longer.startswith(head):
                break
            found += by_head[longer]
        return found

    def _sorted(self, index: IndexTarget | None) -> tuple[list[str], dict[str, list[tuple[EntityShape, Written]]]]:
        by_head: dict[str, list[tuple[EntityShape, Written]]] = {}
        for shape in self.shapes.values():
            templates = self._templates(shape, index)
            if templates:
                written = tuple(pieces(one, ()) for one in templates)
                by_head.setdefault(templates[0].head, []).append((shape, written))
        return sorted(by_head), by_head

    def _templates(self, shape: EntityShape, index: IndexTarget | None) -> tuple[Template, ...]:
        """What fills an entity's key in the table or an index; nothing where it is not in it.

        Fields of other entities are known by name only, so what they hold counts as any text.
        """
        keys, computed = dict(shape.keys), computed_of(shape)
        names = named_of(shape, computed)
        is_local = index is not None and index in self.table.local_indexes
        prefix = f'gsi "{index.name}" ' if index is not None and not is_local else ""
        found: list[Template] = []
        for key in index.keys if index else self.table.keys:
            is_own = is_local and key.role == "RANGE"
            text = None if is_own else keys.get(f"{prefix}{'pk' if key.role == 'HASH' else 'sk'}")
            if text is None and key.attribute not in names:
                return ()
            template = parse(text) if text else parse(f"{{{names[key.attribute]}}}")
            found.append(expanded(template, computed))
        return tuple(found)


ALONE = Telling()
