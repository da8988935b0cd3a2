"""DDB109: the key of a global index changes often, and each change deletes and inserts an index entry."""

from collections import defaultdict
from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import UpdateItem
from keywright.engines.dynamodb.findings.uses import Use, uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(context: RuleContext, *, rate: float = 100.0) -> Iterator[FindingDraft]:
    """Indexes whose keys change at least that often.

    rate: changes a second from which an index is reported.
    """
    changing: dict[tuple[str, str], list[tuple[Use, float]]] = defaultdict(list)
    for use in uses(context):
        call = use.call
        if not isinstance(call, UpdateItem) or use.load.per_second is None:
            continue
        paths = (*call.sets, *call.removes, *(path for path in (call.pushes, call.adds) if path))
        changed = {use.entity.stored(path)[0] for path in paths}
        changed |= {name for attribute in call.template_attributes for name, *_ in attribute.attributes}
        for route in use.entity.routes:
            # A state that lets an item into a sparse index changes a few times for each item.
            keyed = {placeholder.path for part in route.key for placeholder in part.template.placeholders}
            is_state = not keyed.intersection(paths).difference(condition.field for condition in route.where)
            enters = any(condition.field in paths for condition in route.where)  # few items are in the index meanwhile
            is_changed = any(part.attribute in changed for part in route.key)
            if route.by.kind == "gsi" and is_changed and not is_state and not enters:
                index_key = use.entity.binding.physical.name, route.index
                changing[index_key].append((use, use.load.per_second * use.pattern.batch))
    for (table, index), changes in changing.items():
        total = sum(changes_per_second for _, changes_per_second in changes)
        if total >= rate:
            names = ", ".join(f'"{use.name}"' for use, _ in changes)
            yield FindingDraft(
                problem=f'the key of index "{index}" changes {counted(total, "time", spec=",.0f")} a second by '
                f"{names}, "
                "and each change is two writes of the index",
                help="key the index by what changes less, such as the day; or accept what it costs, by ignores=",
                subject=table,
                part=index,
            )
