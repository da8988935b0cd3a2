"""DDB005: a partition key contains only time, so all current writes go to one partition."""

from collections.abc import Iterator

from keywright.access.fill import BUCKET_SECONDS
from keywright.engines.dynamodb.access.layout import Layout, Route
from keywright.engines.dynamodb.findings.uses import Use, entities, hash_text, is_day_text, is_time, scalar, uses
from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.ir.text import counted

_SERIES = "event", "reading"


def models(context: RuleContext, *, writes: float = 100.0) -> Iterator[FindingDraft]:
    """Keys of time of an entity that is written often, or that is a series without a declared rate.

    writes: items written a second from which a key of time is hot.
    """
    puts: dict[int, list[Use]] = {}
    for use in uses(context):
        if use.pattern.kind == "put":
            puts.setdefault(id(use.entity), []).append(use)
    for entity in entities(context):
        rates = [use.per_second * use.pattern.batch for use in puts.get(id(entity), []) if use.per_second is not None]
        is_series = not rates and entity.binding.spec.kind in _SERIES
        for route in entity.routes:
            if not (max(rates, default=0) >= writes or is_series) or not _is_of_time(entity, route):
                continue
            where = f' of index "{route.index}"' if route.index else ""
            rate_text = f"{counted(max(rates), 'item', spec=',.0f')} a second" if rates else "events"
            yield FindingDraft(
                problem=f'pk="{hash_text(route)}"{where} is time alone, and {rate_text} are written: '
                f"{_consequence(entity, route)}",
                help="begin with what items differ in and let time follow in sk; an index by day is sharded, as in "
                '"DAY#{at:date}#{id:shard(10)}"',
                subject=entity.binding.name,
                part=route.index,
            )


def stored(
    target: TargetInEnvironment,
    *,
    words: tuple[str, ...] = ("date", "day", "month", "timestamp", "created_at", "createdat"),
) -> Iterator[FindingDraft]:
    """Keys of a program's table and its indexes with the name of a time.

    words: names of such keys.
    """
    table = target.placed
    for name, key_owner in (("", table), *((index.name, index) for index in table.indexes)) if not table.shape else ():
        keys = [part.attribute for part in key_owner.keys if part.role == "HASH"]
        where = f'index "{name}"' if name else f'table "{table.name}"'
        if len(keys) == 1 and keys[0].lower() in words:
            yield FindingDraft(
                problem=f'the partition key of {where} is called "{keys[0]}": all of now is written to one partition',
                help="begin with what items differ in, and let time follow in the sort key",
                subject=target.declared.name,
                part=name,
                severity="warning",
            )


def _consequence(entity: Layout, route: Route) -> str:
    """Consequence: one partition receives all current writes, or single moments cannot be read as a range."""
    placeholders = [placeholder for part in route.hashes for placeholder in part.template.placeholders]
    has_bucket = any(filter.name in BUCKET_SECONDS for placeholder in placeholders for filter in placeholder.filters)
    kinds = [scalar(entity, placeholder.path) for placeholder in placeholders]
    if has_bucket or any(kind is not None and (kind.kind == "date" or is_day_text(kind)) for kind in kinds):
        return "all of now go to one partition"
    return "each moment is a partition of its own, and no range of them is read"


def _is_of_time(entity: Layout, route: Route) -> bool:
    if route.by.kind == "lsi":
        return False
    placeholders = [placeholder for part in route.hashes for placeholder in part.template.placeholders]
    return bool(placeholders) and all(is_time(entity, placeholder) for placeholder in placeholders)
