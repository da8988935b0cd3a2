"""DDB012: an index projects attributes that no query reads, or lacks attributes that its readers then fetch."""

from collections import defaultdict
from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import QueryItems
from keywright.engines.dynamodb.access.cost.call import cost
from keywright.engines.dynamodb.access.cost.size import attribute_bytes
from keywright.engines.dynamodb.findings.projections import added_units, is_cheap
from keywright.engines.dynamodb.findings.throughput import usual
from keywright.engines.dynamodb.findings.uses import Use, uses
from keywright.engines.dynamodb.schema.target import IndexTarget
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.errors import quoted
from keywright.ir.text import counted

_FEW = 10
"""Write units a second below which savings are not reported."""


def models(context: RuleContext, *, idle: int = 512, worth: float = 10.0) -> Iterator[FindingDraft]:
    """Indexes whose projection does not fit their readers.

    idle: bytes of each entry that may remain unread; a write unit is 1024. worth: read units that a wider index saves
    for each additional write unit, from which it is better.
    """
    all_uses = tuple(uses(context))
    read: dict[tuple[int, str], list[Use]] = defaultdict(list)
    for use in all_uses:
        if isinstance(use.call, QueryItems) and use.call.index:
            read[id(use.entity.table), use.call.index].append(use)
    for (table, name), readers in read.items():
        index = next((candidate for candidate in readers[0].entity.table.indexes if candidate.name == name), None)
        if index is None:
            continue
        writers = [use for use in all_uses if id(use.entity.table) == table and use.write is not None]
        if index.projection in ("ALL", "INCLUDE"):
            yield from _unread_attributes(index, readers, writers, idle)
        if index.projection != "ALL":
            yield from _fetched_items(index, readers, writers, worth)


def _unread_attributes(index: IndexTarget, readers: list[Use], writers: list[Use], idle: int) -> Iterator[FindingDraft]:
    """Index of whole items, or of some fields, whose readers all need fewer."""
    if any(not use.pattern.fields and use.pattern.kind != "count" for use in readers) or any(map(_is_marked, readers)):
        return
    fields = {path.partition(".")[0] for use in readers for path in _read_fields(use)}
    keys = {part.attribute for part in (*index.keys, *readers[0].entity.table.keys)}
    paths = sorted(path for path in fields if readers[0].entity.stored(path)[0] not in keys)
    for use in readers:
        projected = keys | {use.entity.stored(path)[0] for path in paths}
        others = (field for field in use.entity.attributes if field.stored not in projected)
        unread = [field for field in others if index.projection == "ALL" or field.stored in index.included]
        size = sum(usual(attribute_bytes(use.entity, attribute)) for attribute in unread)
        if size >= idle and not is_cheap(index, use, writers, size):
            held = "whole items" if index.projection == "ALL" else quoted(field.name for field in unread)
            projection = f"[{quoted(paths)}]" if paths else '"keys"'
            yield FindingDraft(
                problem=f'index "{index.name}" holds {held}, and none of its readers asks for about '
                f"{counted(size, 'byte', spec=',.0f')} of each {use.entity.binding.name}",
                help=f"say project={projection}",
                subject=use.entity.binding.physical.name,
                part=index.name,
                fix=Fix((SetArgument("project", projection),)),
            )
            return


def _is_marked(use: Use) -> bool:
    """Whether the discriminator, which the index must contain, filters its items."""
    return isinstance(use.call, QueryItems) and use.call.discriminator is not None


def _read_fields(use: Use) -> Iterator[str]:
    yield from use.pattern.fields
    call = use.call
    assert isinstance(call, QueryItems)
    yield from (condition.field for condition in call.filters)


def _fetched_items(index: IndexTarget, readers: list[Use], writers: list[Use], worth: float) -> Iterator[FindingDraft]:
    """Index whose readers fetch items at a higher cost than projecting them."""
    fetching = [use for use in readers if isinstance(use.call, QueryItems) and use.call.fetches]
    # A part of a transaction is also declared alone, without a rate of its own.
    rated = {(use.pattern.at, use.pattern.kind) for use in writers if use.load.per_second is not None}
    if not fetching or any((use.pattern.at, use.pattern.kind) not in rated for use in writers):
        return
    # A page has as many items as there are, up to its limit: half of the limit counts as usual, as for a bounded list.
    saved = sum(usual(dict(cost(use.planned).arms)[""]) / 2 * (use.load.per_second or 0) for use in fetching)
    added = sum(added_units(use, index) * (use.load.per_second or 0) * use.pattern.batch for use in writers)
    if saved > worth * max(added, _FEW):
        names = ", ".join(f'"{use.name}"' for use in fetching)
        yield FindingDraft(
            problem=f'index "{index.name}" lacks what {names} reads, which takes '
            f"{counted(saved, 'read unit', spec=',.0f')} a second from "
            f"the table, and holding it {counted(added, 'write unit', spec=',.0f')}",
            help='say project="all", or the fields that the pattern needs; or ask for fewer, by fields=',
            subject=fetching[0].entity.binding.physical.name,
            part=index.name,
        )
