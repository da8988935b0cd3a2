"""An entity as a placed server holds it: what is planned against, read from the target, never from the declaration."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from keywright.access.fill import Filled, is_whole
from keywright.access.path import By
from keywright.access.request import Asked, Request
from keywright.engines.capability import is_older
from keywright.ir.attribute import Attribute
from keywright.ir.binding import Binding
from keywright.ir.template import Placeholder, Template, parse

from ..layout import FIELD_KINDS, JSON_KINDS, is_told, told_by
from ..place import prefix
from ..target import Placement, ServerTarget, StructureTarget

Freshness: TypeAlias = Literal["session", "strong"]

CLUSTERED = ("elasticache-serverless", "memorydb")
"""Flavours that spread keys over nodes whatever is asked for. Source: "Valkey and Redis OSS configuration" and
"MemoryDB features" of the AWS documentation, 2026-11-21."""

_COMPUTED = 'computed["'


@dataclass(frozen=True, slots=True)
class Held:
    """An entity on a server."""

    structure: StructureTarget
    """Its structure."""
    by: By
    """How answers name it."""
    prefix: str
    """What every key begins with."""
    key: Template
    """Template of its keys, without the prefix."""
    member: Template | None
    """Template of its members; None where it has none."""
    computed: tuple[tuple[str, Template], ...]
    """Computed attributes and what makes them."""
    attributes: tuple[Attribute, ...]
    """The fields of the entity that the target has."""
    stored: tuple[Attribute, ...]
    """The fields that are kept in JSON, a hash or an entry."""
    key_fields: tuple[str, ...]
    """The fields that identify an item, in the order of its key; of elements without a name, those of the key alone."""
    told: frozenset[Placeholder]
    """The parts of key and member that tell the whole value of their field."""
    version: int
    """The version of the stored shape."""
    is_cluster: bool
    """Whether keys are spread over nodes, so that what is done at once needs one slot."""
    freshness: Freshness
    """How fresh reads of it are, and how durable writes."""
    has_bit_ranges: bool
    """Whether BITCOUNT takes a range of bits."""

    @property
    def kind(self) -> str:
        """Which structure it is."""
        return self.structure.kind

    @property
    def value(self) -> str | None:
        """The field that is the value, the score, the bit or the place."""
        return self.structure.value

    def attribute(self, name: str) -> Attribute | None:
        """The field of that name."""
        return next((one for one in self.attributes if one.name == name), None)


def decided(found: Held, filled: Filled | None) -> tuple[Asked, ...]:
    """The conditions that hold for everything under some keys: those of which a text keeps the whole value."""
    if filled is None:
        return ()
    told = found.told
    return tuple(
        slot.asked
        for slot in filled.slots
        # The day of a date is all of it, that of a datetime is not: what a template tells back, it keeps.
        if slot.asked is not None
        and slot.kind in ("value", "values")
        and (is_whole(slot.placeholder) or slot.placeholder in told)
    )


_known: dict[tuple[int, int], tuple[ServerTarget, Binding, Held | None]] = {}


def held(server: ServerTarget, binding: Binding) -> Held | None:
    """The entity on the server; None if it is not there.

    Asked for every pattern, so it is kept: targets hold too much to be hashed each time.
    """
    known = _known.get((id(server), id(binding)))
    if known is None or known[0] is not server or known[1] is not binding:
        if len(_known) > 8_192:
            _known.clear()
        known = _known[id(server), id(binding)] = (server, binding, _held(server, binding))
    return known[2]


def _held(server: ServerTarget, binding: Binding) -> Held | None:
    structure = next((one for one in server.structures if one.entity == binding.name), None)
    shape = next((one for one in server.shape if one.name == binding.name), None)
    if structure is None or shape is None:
        return None
    templates = {argument: _parsed(text) for argument, text in shape.keys}
    computed = tuple((name[len(_COMPUTED) : -2], one) for name, one in templates.items() if name.startswith(_COMPUTED))
    key, member = templates["key"], templates.get("member")
    by_key = told_by(key, binding)
    has_fields = structure.kind in (*JSON_KINDS, *FIELD_KINDS) and structure.value is None
    # A target of an older version lacks what was added since.
    names = {one.name for one in shape.fields}
    attributes = tuple(one for one in binding.entity.attributes if one.name in names)
    begins = prefix(server.generation)
    made = (one for _, template in computed for one in template.placeholders)
    placeholders = (*key.placeholders, *(member.placeholders if member else ()), *made)
    return Held(
        structure=structure,
        by=By("structure", begins + key.text),
        prefix=begins,
        key=key,
        member=member,
        computed=computed,
        attributes=attributes,
        stored=tuple(one for one in attributes if has_fields and one.name not in by_key),
        key_fields=_key_fields(key, member, structure),
        told=frozenset(one for one in placeholders if is_told(one, binding)),
        version=shape.schema_version,
        is_cluster=is_cluster(server),
        freshness=_freshness(server.placement),
        has_bit_ranges=_has_bit_ranges(server.placement),
    )


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Template:
    return parse(text)


def is_cluster(server: ServerTarget) -> bool:
    """Whether a server's keys are spread over several nodes."""
    flavour = server.placement.flavour if server.placement else ""
    return flavour in CLUSTERED or ("cluster-enabled", "yes") in server.settings


def _freshness(placement: Placement | None) -> Freshness:
    """Strong where the one that answers is the only one that could, or where copies are written first.

    With copies a failover can lose what was acknowledged last: they follow behind. Source: "Redis replication" and
    "MemoryDB consistency", 2026-11-21.
    """
    if placement is None or placement.flavour == "memorydb":
        return "strong"
    return "session" if placement.replicas or placement.flavour == "elasticache-serverless" else "strong"


def _has_bit_ranges(placement: Placement | None) -> bool:
    """BITCOUNT ... BIT comes with Redis 7.0. Source: https://redis.io/docs/latest/commands/bitcount, 2026-11-21."""
    version = placement.version if placement else None
    return version is None or not is_older(version, "7.0")


def _key_fields(key: Template, member: Template | None, structure: StructureTarget) -> tuple[str, ...]:
    paths = [one.path for one in key.placeholders]
    paths += [one.path for one in member.placeholders] if member else []
    paths += [structure.value] if structure.kind == "bitmap" and structure.value else []
    return tuple(dict.fromkeys(path for path in paths if path))


def key_fields(server: ServerTarget, binding: Binding) -> tuple[str, ...]:
    """See `Engine.key_fields`."""
    found = held(server, binding)
    return () if found is None else found.key_fields


def spelled(template: Template, found: Held, asked: Request) -> Template:
    """A template in which computed attributes stand as what makes them, where the pattern does not name them."""
    if not found.computed:
        return template
    made = dict(found.computed)
    if not any(one.path in made for one in template.placeholders):
        return template
    parts = tuple(_parts(template, made, asked))
    return Template(template.text, tuple(_joined(parts)))


def _parts(template: Template, made: dict[str, Template], asked: Request) -> Iterator[str | Placeholder]:
    for part in template.parts:
        is_made = isinstance(part, Placeholder) and part.path in made and not part.filters
        if is_made and asked.one(part.path, "equals", "one_of") is None:  # type: ignore[union-attr]
            others = {name: one for name, one in made.items() if name != part.path}  # type: ignore[union-attr]
            yield from _parts(made[part.path], others, asked)  # type: ignore[union-attr]
        else:
            yield part


def _joined(parts: tuple[str | Placeholder, ...]) -> Iterator[str | Placeholder]:
    """The same parts, no two constants touching."""
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        if text:
            yield text
        text = ""
        yield part
    if text:
        yield text
