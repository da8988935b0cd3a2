"""Access paths of patterns that read a whole table or index because they say so."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, Candidate, Rejected
from keywright.access.query import Condition, Query
from keywright.access.selectivity import share_of
from keywright.engines.contract.shape import Discriminator
from keywright.ir.text import counted

from ..calls import QueryItems, ScanItems
from ..cost.units import READ_BYTES
from ..filters import unfilterable
from ..layout import Layout, Route
from .key_match import KeyMatch
from .residual_filter import Prefix, is_decided, of_entity, stored_names, unsuited_reason

_MEBIBYTE = 1_048_576

_NO_KEY = KeyMatch((), (), None, (), (), is_complete=False)
"""No condition is decided by a key, because a scan has none."""


def scan_paths(entity: Layout, query: Query) -> Iterator[Candidate]:
    """Scan of the table and of each index that contains the entity, or the reason why there is none."""
    for route in entity.routes:
        yield _scan(entity, route, query)
    for by in entity.absent:
        yield Rejected(by, f'no "{entity.binding.name}" is in it')


def _scan(entity: Layout, route: Route, query: Query) -> Candidate:
    pattern, by = query.pattern, route.by
    if entity.shape.copies > 1:
        copies = counted(entity.shape.copies, "read copy", "read copies")
        return Rejected(by, f"a scan would return each of the {copies} of an item")
    if reason := unsuited_reason(entity, route, query):
        return Rejected(by, reason)
    residual = tuple(condition for condition in query.conditions if not is_decided(entity, route, _NO_KEY, condition))
    if reason := next(filter(None, (_unfilterable(entity, route, condition) for condition in residual)), None):
        return Rejected(by, reason)
    discriminators = _discriminators(entity, route)
    if discriminators is None:
        return Rejected(by, "items of other entities are in it, without a discriminator")
    attributes = stored_names(entity, pattern.fields)
    needed = attributes or tuple(attribute.stored for attribute in entity.attributes)
    if route.projected is not None and pattern.kind != "count" and (lacking := set(needed) - route.projected):
        return Rejected(by, f'it lacks "{min(lacking)}", so that a scan would read each item a second time')
    discriminator, prefix = discriminators
    is_strong = pattern.consistency != "eventual"
    others = (of_entity(discriminator, prefix),) if discriminator or prefix else ()
    call = QueryItems(
        table=entity.table.name,
        index=route.index,
        key=(),
        filters=residual,
        share=share_of(entity.attributes, residual) if residual and not others else None,
        discriminator=discriminator,
        head=prefix,
        attributes=() if pattern.kind == "count" else attributes,
        keys=route.names,
        table_key=entity.key.names,
        is_strong=is_strong,
        is_narrow=route.projected is not None,
        limit=pattern.limit,
        counts=pattern.kind == "count",
        scans=True,
    )
    where = f'index "{route.index}"' if route.index else "the table"
    units = counted(_MEBIBYTE // READ_BYTES // (1 if is_strong else 2), "read unit")
    notes = [f"all pages together read {where} completely: {units} for each MiB"]
    if others:
        notes.append("items of other entities are read, and filtered out")
    return AccessPath(
        by,
        ScanItems(call, pattern.segments),
        residual=(*residual, *others),
        consistency="strong" if is_strong else "eventual",
        notes=tuple(notes),
    )


def _unfilterable(entity: Layout, route: Route, condition: Condition) -> str | None:
    """Reason why a filter of a scan cannot check a condition; it can test attributes of keys too."""
    names = (entity.stored(part.field)[0] for part in condition.tested)
    if route.projected is not None and (lacking := next((name for name in names if name not in route.projected), None)):
        return f'it does not contain "{lacking}", which the filter needs'
    return unfilterable(entity, condition)


def _discriminators(entity: Layout, route: Route) -> tuple[Discriminator | None, Prefix | None] | None:
    """(discriminator, prefix of the table's key) that filters its items; None if neither distinguishes them."""
    conditions = entity.neighbours.everywhere(entity.shape, entity.index(route))
    if conditions.is_alone:
        return None, None
    discriminator = entity.shape.discriminator
    is_projected = discriminator and (route.projected is None or discriminator.attribute in route.projected)
    if is_projected and conditions.by_attribute:
        return discriminator, None
    return None if conditions.by_key is None else (None, conditions.by_key)
