"""DDB109: the key of a global index changes often, and each change is a delete and a put in the index."""

from collections import defaultdict
from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import Update
from keywright.engines.dynamodb.uses import Use, uses
from keywright.engines.flaws.context import Flaw, Whole


def models(whole: Whole, *, rate: float = 1000.0) -> Iterator[Flaw]:
    """Every index of which so many keys change.

    rate: changes a second that are many.
    """
    changing: dict[tuple[str, str], list[tuple[Use, float]]] = defaultdict(list)
    for use in uses(whole):
        call = use.call
        if not isinstance(call, Update) or use.load.per_second is None:
            continue
        paths = (*call.sets, *call.removes, *(one for one in (call.pushes, call.adds) if one))
        changed = {use.entity.stored(path)[0] for path in paths}
        changed |= {name for made in call.made for name, *_ in made.attributes}
        for route in use.entity.routes:
            if route.by.kind == "gsi" and any(part.attribute in changed for part in route.key):
                place = use.entity.binding.physical.name, route.index
                changing[place].append((use, use.load.per_second * use.pattern.batch))
    for (table, index), found in changing.items():
        total = sum(each for _, each in found)
        if total >= rate:
            names = ", ".join(f'"{use.name}"' for use, _ in found)
            yield Flaw(
                problem=f'the key of index "{index}" changes {total:,.0f} times a second by {names}, '
                "and each change is two writes of the index",
                help="key the index by what changes less, such as the day; or accept what it costs, by ignores=",
                subject=table,
                part=index,
            )
