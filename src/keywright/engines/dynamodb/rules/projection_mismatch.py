"""DDB012: an index holds what nobody reads there, or lacks what its readers then fetch item by item."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from keywright.access.cost import Band
from keywright.engines.dynamodb.access.calls import Query
from keywright.engines.dynamodb.access.cost import cost
from keywright.engines.dynamodb.access.cost_write import write_arms
from keywright.engines.dynamodb.access.layout import entity_of
from keywright.engines.dynamodb.access.size import attribute_bytes
from keywright.engines.dynamodb.target import IndexTarget
from keywright.engines.dynamodb.uses import Use, uses
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument

_FEW = 10
"""Write units a second that are nothing to speak of."""


def models(whole: Whole, *, idle: int = 512, worth: float = 10.0) -> Iterator[Flaw]:
    """Every such index.

    idle: bytes of each entry that may be there for nobody; a write unit is 1024. worth: read units that a wider index
    saves for each write unit that it takes, from which on it is better.
    """
    known = tuple(uses(whole))
    read: dict[tuple[int, str], list[Use]] = defaultdict(list)
    for use in known:
        if isinstance(use.call, Query) and use.call.index:
            read[id(use.entity.table), use.call.index].append(use)
    for (table, name), readers in read.items():
        index = next((one for one in readers[0].entity.table.indexes if one.name == name), None)
        if index is None:
            continue
        if index.projection == "ALL":
            yield from _idle(index, readers, idle)
        else:
            writers = [one for one in known if id(one.entity.table) == table and one.write is not None]
            yield from _fetched(index, readers, writers, worth)


def _idle(index: IndexTarget, readers: list[Use], idle: int) -> Iterator[Flaw]:
    """An index of whole items, of which every reader says which few fields it needs."""
    if any(not use.pattern.fields and use.pattern.kind != "count" for use in readers) or any(map(_is_marked, readers)):
        return
    named = {path.partition(".")[0] for use in readers for path in _named(use)}
    keys = {part.attribute for part in (*index.keys, *readers[0].entity.table.keys)}
    wanted = sorted(path for path in named if readers[0].entity.stored(path)[0] not in keys)
    for use in readers:
        held = keys | {use.entity.stored(path)[0] for path in wanted}
        unread = [one for one in use.entity.attributes if one.stored not in held]
        size = sum(_usual(attribute_bytes(use.entity, one)) for one in unread)
        if size >= idle:
            said = f"[{', '.join(f'{chr(34)}{one}{chr(34)}' for one in wanted)}]" if wanted else '"keys"'
            yield Flaw(
                problem=f'index "{index.name}" holds whole items, and none of its readers asks for about {size:,.0f} '
                f"bytes of each {use.entity.binding.name}",
                help=f"say project={said}",
                subject=use.entity.binding.physical.name,
                part=index.name,
                fix=Fix((SetArgument("project", said),)),
            )
            return


def _is_marked(use: Use) -> bool:
    """Whether its items are told from others by the discriminator, which the index must hold."""
    return isinstance(use.call, Query) and use.call.mark is not None


def _named(use: Use) -> Iterator[str]:
    yield from use.pattern.fields
    call = use.call
    assert isinstance(call, Query)
    yield from (one.field for one in call.filters)


def _fetched(index: IndexTarget, readers: list[Use], writers: list[Use], worth: float) -> Iterator[Flaw]:
    """An index whose readers fetch items more often than it would cost to keep them there."""
    fetching = [use for use in readers if isinstance(use.call, Query) and use.call.fetches]
    if not fetching or any(use.load.per_second is None for use in writers):
        return
    # A page holds what there is, up to its limit: half of it is taken for usual, as of a list with a bound.
    saved = sum(_usual(dict(cost(use.planned).arms)[""]) / 2 * (use.load.per_second or 0) for use in fetching)
    added = sum(_added(use, index) * (use.load.per_second or 0) * use.pattern.batch for use in writers)
    if saved > worth * max(added, _FEW):
        names = ", ".join(f'"{use.name}"' for use in fetching)
        yield Flaw(
            problem=f'index "{index.name}" lacks what {names} reads, which takes {saved:,.0f} read units a second from '
            f"the table, and holding it {added:,.0f} write units",
            help='say project="all", or the fields that the pattern needs; or ask for fewer, by fields=',
            subject=fetching[0].entity.binding.physical.name,
            part=index.name,
        )


def _added(use: Use, index: IndexTarget) -> float:
    """Write units that a write would take besides if the index held whole items."""
    table = use.entity.table
    wider = replace(index, projection="ALL", included=())
    healed = entity_of(
        replace(table, indexes=tuple(wider if one is index else one for one in table.indexes)), use.entity.binding
    )
    assert use.write is not None
    if healed is None:
        return 0
    before, after = (write_arms(one, use.write).get(index.name) for one in (use.entity, healed))
    return (_usual(after) if after else 0) - (_usual(before) if before else 0)


def _usual(band: Band) -> float:
    return band.low if band.expected is None else band.expected
