"""An entity on a placed server: the input of planning, read from the target and never from the declaration."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, TypeAlias

from keywright.access.fill import Filled, is_complete
from keywright.access.path import By
from keywright.access.query import Condition, Query
from keywright.engines.capability import is_older
from keywright.ir.attribute import Attribute
from keywright.ir.binding import Binding
from keywright.ir.template import Placeholder, Template, parse
from keywright.record import Record

from ..declare.options import Structure
from ..schema.capabilities import FLAVOURS
from ..schema.layout import FIELD_KINDS, JSON_KINDS, decided_by_key, is_in_key
from ..schema.packed_score import Packing, packing_of
from ..schema.place import prefix
from ..schema.target import Placement, ServerTarget, StructureTarget

Freshness: TypeAlias = Literal["session", "strong"]

CLUSTERED = ("elasticache-serverless", "memorydb")
"""Flavours that always distribute keys over nodes. Source: "Valkey and Redis OSS configuration" and
"MemoryDB features" of the AWS documentation, 2026-11-21."""

_COMPUTED = 'computed["'


class Layout(Record):
    """An entity on a server."""

    binding: Binding[Structure]
    """The entity."""
    structure: StructureTarget
    """Structure that stores the entity."""
    by: By
    """Name of the access path in results."""
    prefix: str
    """Prefix of every key."""
    key: Template
    """Template of the keys, without the prefix."""
    member: Template | None
    """Template of the members; None for structures without members."""
    computed: tuple[tuple[str, Template], ...]
    """Computed attributes with their templates."""
    attributes: tuple[Attribute, ...]
    """Fields of the entity that the target has."""
    stored: tuple[Attribute, ...]
    """Fields that are stored in JSON, a hash or an entry."""
    key_fields: tuple[str, ...]
    """Fields that identify an item, in the order of the key; for elements without a name, the key's fields alone."""
    decided_by_key: frozenset[Placeholder]
    """Placeholders of key and member that contain the whole value of their field."""
    version: int
    """Schema version of the stored shape."""
    is_cluster: bool
    """Whether keys are distributed over nodes, so that atomic operations need one slot."""
    freshness: Freshness
    """Consistency of reads, and durability of writes."""
    has_bit_ranges: bool
    """Whether BITCOUNT accepts a range of bits."""
    has_embedded_members: bool = False
    """Whether nodes of large sorted sets contain their members, and tables keep their entries in buckets."""
    has_listpacks: bool = True
    """Whether small sets and lists are compact blocks."""

    @property
    def kind(self) -> str:
        """Kind of the structure."""
        return self.structure.kind

    @property
    def value(self) -> str | None:
        """The field with the value, the score, the bit or the place."""
        return self.structure.value

    @property
    def then(self) -> Packing | None:
        """The second number in each score."""
        return packing_of(self.binding) if self.structure.then else None

    def attribute(self, name: str) -> Attribute | None:
        """The field of that name."""
        return next((attribute for attribute in self.attributes if attribute.name == name), None)


def decided(layout: Layout, filled: Filled | None) -> tuple[Condition, ...]:
    """Conditions that hold for all items under some keys, because the key contains the whole value of the field."""
    if filled is None:
        return ()
    placeholders = layout.decided_by_key
    return tuple(
        slot.condition
        for slot in filled.slots
        # A day contains the whole value of a date, but not of a datetime: a value that can be read back is complete.
        if slot.condition is not None
        and slot.kind in ("value", "values")
        and (is_complete(slot.placeholder) or slot.placeholder in placeholders)
    )


_layouts: dict[tuple[int, int], tuple[ServerTarget, Binding[Structure], Layout | None]] = {}


def layout_of(server: ServerTarget, binding: Binding[Structure]) -> Layout | None:
    """The entity on the server; None if the server does not have it.

    Every pattern needs it. It is cached by identity, because targets are too large to be hashed each time.
    """
    cached = _layouts.get((id(server), id(binding)))
    if cached is None or cached[0] is not server or cached[1] is not binding:
        if len(_layouts) > 8_192:
            _layouts.clear()
        cached = _layouts[id(server), id(binding)] = (server, binding, _layout_of(server, binding))
    return cached[2]


def _layout_of(server: ServerTarget, binding: Binding[Structure]) -> Layout | None:
    structure = next((structure for structure in server.structures if structure.entity == binding.name), None)
    shape = next((entity for entity in server.shape if entity.name == binding.name), None)
    if structure is None or shape is None:
        return None
    templates = {argument: _parsed(text) for argument, text in shape.keys}
    computed = tuple(
        (name[len(_COMPUTED) : -2], template) for name, template in templates.items() if name.startswith(_COMPUTED)
    )
    key, member = templates["key"], templates.get("member")
    by_key = decided_by_key(key, binding)
    has_fields = structure.kind in (*JSON_KINDS, *FIELD_KINDS) and structure.value is None
    # The target of an older version lacks fields that were added later.
    names = {field.name for field in shape.fields}
    attributes = tuple(attribute for attribute in binding.entity.attributes if attribute.name in names)
    key_prefix = prefix(server.generation)
    computed_placeholders = (placeholder for _, template in computed for placeholder in template.placeholders)
    placeholders = (*key.placeholders, *(member.placeholders if member else ()), *computed_placeholders)
    return Layout(
        binding=binding,
        structure=structure,
        by=By("structure", key_prefix + key.text),
        prefix=key_prefix,
        key=key,
        member=member,
        computed=computed,
        attributes=attributes,
        stored=tuple(attribute for attribute in attributes if has_fields and attribute.name not in by_key),
        key_fields=_key_fields(key, member, structure),
        decided_by_key=frozenset(placeholder for placeholder in placeholders if is_in_key(placeholder, binding)),
        version=shape.schema_version,
        is_cluster=is_cluster(server),
        freshness=_freshness(server.placement),
        has_bit_ranges=_has_bit_ranges(server.placement),
        has_embedded_members=_has_embedded_members(server.placement),
        has_listpacks=_has_listpacks(server.placement),
    )


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Template:
    return parse(text)


def is_cluster(server: ServerTarget) -> bool:
    """Whether a server's keys are distributed over several nodes."""
    flavour = server.placement.flavour if server.placement else ""
    return flavour in CLUSTERED or ("cluster-enabled", "yes") in server.settings


def _freshness(placement: Placement | None) -> Freshness:
    """Strong if there is only one copy, or if replicas are written before the acknowledgement.

    Otherwise a failover can lose the last acknowledged writes, because replication is asynchronous. Source: "Redis
    replication" and "MemoryDB consistency", 2026-11-21.
    """
    if placement is None or placement.flavour == "memorydb":
        return "strong"
    return "session" if placement.replicas or placement.flavour == "elasticache-serverless" else "strong"


def _has_bit_ranges(placement: Placement | None) -> bool:
    """BITCOUNT ... BIT exists since Redis 7.0. Source: https://redis.io/docs/latest/commands/bitcount, 2026-11-21."""
    version = placement.version if placement else None
    return version is None or not is_older(version, "7.0")


def _has_embedded_members(placement: Placement | None) -> bool:
    """Valkey embeds members since 8.1, and so do services, whose versions continue with Valkey's; Redis does not."""
    if placement is None or placement.flavour == "redis":
        return False
    version = placement.version or FLAVOURS[placement.flavour].latest
    return version is None or not is_older(version, "8.1")


def _has_listpacks(placement: Placement | None) -> bool:
    """Small sets and lists are compact blocks since 7.2, the first version of Valkey.

    Source: release notes of Redis 7.2, https://github.com/redis/redis/releases/tag/7.2.0, 2026-11-23.
    """
    version = placement.version if placement else None
    return version is None or not is_older(version, "7.2")


def _key_fields(key: Template, member: Template | None, structure: StructureTarget) -> tuple[str, ...]:
    paths = [placeholder.path for placeholder in key.placeholders]
    paths += [placeholder.path for placeholder in member.placeholders] if member else []
    paths += [structure.value] if structure.kind == "bitmap" and structure.value else []
    return tuple(dict.fromkeys(path for path in paths if path))


def key_fields(server: ServerTarget, binding: Binding[Structure]) -> tuple[str, ...]:
    """See `Engine.key_fields`."""
    layout = layout_of(server, binding)
    return () if layout is None else layout.key_fields


def expanded(template: Template, layout: Layout, query: Query) -> Template:
    """The template with the templates of computed attributes inserted, unless the pattern names the attribute."""
    if not layout.computed:
        return template
    templates = dict(layout.computed)
    if not any(placeholder.path in templates for placeholder in template.placeholders):
        return template
    parts = tuple(_parts(template, templates, query))
    return Template(template.text, tuple(_joined(parts)))


def _parts(template: Template, templates: dict[str, Template], query: Query) -> Iterator[str | Placeholder]:
    for part in template.parts:
        is_computed = isinstance(part, Placeholder) and part.path in templates and not part.filters
        if is_computed and query.first(part.path, "equals", "one_of") is None:  # type: ignore[union-attr]
            other_templates = {name: template for name, template in templates.items() if name != part.path}  # type: ignore[union-attr]
            yield from _parts(templates[part.path], other_templates, query)  # type: ignore[union-attr]
        else:
            yield part


def _joined(parts: tuple[str | Placeholder, ...]) -> Iterator[str | Placeholder]:
    """The same parts, with adjacent constants joined."""
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
