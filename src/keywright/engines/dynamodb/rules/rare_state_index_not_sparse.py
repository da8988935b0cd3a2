"""DDB044: an index contains items in every state, and its readers ask for few of the states."""

from collections import defaultdict
from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import QueryItems
from keywright.engines.dynamodb.access.layout import Layout, Route
from keywright.engines.dynamodb.findings.hot_keys import values_of
from keywright.engines.dynamodb.findings.uses import Use, scalar, uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.errors import quoted
from keywright.ir.pattern import Pattern, Value
from keywright.ir.text import counted

_MANY = 100
"""Values of a partition key from which DDB010 does not report it."""


_FLAG = 2
"""Values of a field that tells a rare state from all others."""


def models(context: RuleContext, *, share: float = 0.5, items: int = 100_000) -> Iterator[FindingDraft]:
    """Global indexes whose partition key contains such a field.

    share: greatest share of the values that readers ask for. items: expected items from which an index is reported.
    """
    readers: dict[tuple[str, str], list[Use]] = defaultdict(list)
    for use in uses(context):
        if isinstance(use.call, QueryItems) and use.route is not None and use.route.by.kind == "gsi":
            readers[use.entity.binding.name, use.route.index].append(use)
    for (name, index), index_uses in readers.items():
        entity, route = index_uses[0].entity, index_uses[0].route
        count = entity.binding.spec.expected
        is_filled = any(key.gsi.name == index for key in entity.binding.spec.gsis)  # by templates, which take where=
        if route is None or route.where or route.optional or count is None or count < items:
            continue
        for path, values in _states(entity, route):
            if not is_filled and values > _FLAG:
                continue  # a field of an index tells the states apart, which its readers may need later
            constants_of_readers = [_constants(use.pattern, path) for use in index_uses]
            read_values = {value for constants in constants_of_readers for value in constants or ()}
            if None in constants_of_readers or not read_values or len(read_values) > share * values:
                continue
            if _stays(context, entity, path):
                continue
            of_values = f"{len(read_values)} of {counted(values, 'value')}"
            where = ", ".join(f'"{value}"' for value in sorted(map(str, read_values)))
            yield FindingDraft(
                problem=f'index "{index}" contains all '
                f"{counted(count, 'item', spec=',')}, and its readers ask for {of_values} of "
                f'"{path}": it is as large as the table, for {where}',
                help=f"let only those items be in it, by .key(..., where={{{quoted([path])}: ...}})"
                if is_filled
                else f"let only those items be in it, by a field of its key that the others lack, instead of "
                f'"{path}": such as a time since when, which is None otherwise',
                subject=name,
                part=index,
            )


def _states(entity: Layout, route: Route) -> Iterator[tuple[str, int]]:
    """(field, number of values) of fields with declared constants in the partition key, or first in the sort key.

    DDB010 reports partition keys with few values in all.
    """
    count = values_of(entity, route)
    keys = route.hashes if count is None or count >= _MANY else ()
    placeholders = [placeholder for part in keys for placeholder in part.template.placeholders]
    placeholders += [placeholder for part in route.sorts[:1] for placeholder in part.template.placeholders[:1]]
    for placeholder in placeholders:
        kind = scalar(entity, placeholder.path) if not placeholder.shards else None
        if kind is not None and len(kind.constants) > 1:
            yield placeholder.path, len(kind.constants)


def _stays(context: RuleContext, entity: Layout, path: str) -> bool:
    """Whether items begin with a default, and no pattern changes it: most may be in the state that readers ask for."""
    field = entity.binding.entity.attribute(path)
    changes = [
        part.pattern
        for part, _ in calls(context, entity.binding, "update", "put")
        if path in part.pattern.sets or (part.pattern.kind == "put" and not part.pattern.if_absent)
    ]
    return field is not None and not field.is_required and not changes


def _constants(pattern: Pattern, path: str) -> tuple[Value, ...] | None:
    """Values of a field that a pattern asks for; None if callers choose."""
    for condition in pattern.where:
        if condition.field == path and condition.test in ("equals", "one_of"):
            return condition.values
    return None
