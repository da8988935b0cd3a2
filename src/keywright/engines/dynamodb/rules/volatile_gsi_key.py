"""DDB109: the key of a global index changes often, and each change deletes and inserts an index entry."""

from collections import defaultdict
from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import PutItems, UpdateItem
from keywright.engines.dynamodb.access.layout import FilledKeyPart, Route
from keywright.engines.dynamodb.findings.uses import Use, uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import changed as changed_fields
from keywright.ir.attribute import Scalar
from keywright.ir.text import counted


def models(context: RuleContext, *, rate: float = 100.0) -> Iterator[FindingDraft]:
    """Indexes whose keys change at least that often.

    rate: changes a second from which an index is reported.
    """
    changing: dict[tuple[str, str], list[tuple[Use, float]]] = defaultdict(list)
    all_uses = list(uses(context))
    for use in all_uses:
        call = use.call
        if use.load.per_second is None:
            continue
        if isinstance(call, UpdateItem):
            paths = (*call.sets, *call.removes, *(path for path in (call.pushes, call.adds) if path))
            changed = {use.entity.stored(path)[0] for path in paths}
            changed |= {name for attribute in call.template_attributes for name, *_ in attribute.attributes}
        elif _is_overwriting(use):
            paths = tuple(_times(use))
            changed = {part.attribute for route in use.entity.routes for part in route.key if _has(part, paths)}
        else:
            continue
        for route in use.entity.routes:
            # A state that lets an item into a sparse index changes a few times for each item.
            keyed = {placeholder.path for part in route.key for placeholder in part.template.placeholders}
            is_state = not keyed.intersection(paths).difference(condition.field for condition in route.where)
            enters = any(condition.field in paths for condition in route.where)  # few items are in the index meanwhile
            enters = enters or _is_first(use, route, all_uses)
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


def _is_first(use: Use, route: Route, all_uses: list[Use]) -> bool:
    """Whether an update gives an item its first key in an index, which is one write because no entry is deleted.

    Either a condition says that a field of the key is absent; or the field is None by default, nothing else changes
    the key, the update ends the state that it requires, and is not more frequent than puts of new items.
    """
    update = use.pattern
    fields = [field for field in use.entity.attributes if field.name in route.optional and field.name in update.sets]
    absent = {condition.field for condition in update.where if condition.test == "equals" and None in condition.values}
    if any(field.name in absent for field in fields):
        return True
    own = [other for other in all_uses if other.entity.binding.name == use.entity.binding.name]
    paths = {placeholder.path for part in route.key for placeholder in part.template.placeholders}
    is_only = not any(paths.intersection(changed_fields(other.pattern)) for other in own if other is not use)
    ends_state = any(condition.test == "equals" and condition.field in update.sets for condition in update.where)
    puts = [other for other in own if other.pattern.kind == "put" and other.pattern.if_absent]
    created = sum((put.load.per_second or 0) * put.pattern.batch for put in puts)
    is_rare = (use.load.per_second or 0) * update.batch <= created
    return any(field.is_none_by_default for field in fields) and is_only and ends_state and is_rare


def _is_overwriting(use: Use) -> bool:
    """Whether a put replaces items all the time: it writes more items in a day than there are."""
    count, rate = use.entity.binding.spec.expected, use.load.per_second or 0
    is_put = isinstance(use.call, PutItems) and not use.pattern.if_absent
    return is_put and count is not None and rate * use.pattern.batch * 86_400 >= 2 * count


def _times(use: Use) -> Iterator[str]:
    """Fields with a time that are not in the key of the table: each put has another one."""
    for attribute in use.entity.attributes:
        kind = attribute.type
        is_time = isinstance(kind, Scalar) and kind.kind == "datetime"
        if is_time and attribute.name not in use.entity.key_fields:
            yield attribute.name


def _has(part: FilledKeyPart, paths: tuple[str, ...]) -> bool:
    return any(placeholder.path in paths for placeholder in part.template.placeholders)
