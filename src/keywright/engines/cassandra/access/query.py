"""The native form of a pattern's call, in CQL that a person could send."""

from collections.abc import Iterator, Mapping

from keywright.access.fill import Filled, Slot
from keywright.access.key_range import Reading
from keywright.access.query import Condition
from keywright.access.search import Planned
from keywright.ir.json import Json
from keywright.ir.template import Placeholder
from keywright.ir.text import counted

from ..schema.cql import identifier, literal
from ..schema.target import KeyspaceTarget
from . import dml
from .calls import FixedColumn, RangeCondition, Select
from .calls_write import (
    SERIAL_LEVEL,
    Assignment,
    Batch,
    DeleteRows,
    Guard,
    IncrementCounter,
    Insert,
    Lifetime,
    UpdateRow,
    is_conditional,
)
from .layout import layout


def query(planned: Planned[KeyspaceTarget]) -> Json:
    """See `Engine.query`."""
    call = planned.access_path.call
    if isinstance(call, Batch):
        statements: list[Json] = [_statement(part) for part in planned.parts]
        return {"batch": statements, "type": "LOGGED", **_levels(call.level, is_agreed=call.is_conditional)}
    answer: dict[str, Json] = {"statement": _statement(planned)}
    if isinstance(call, Select):
        answer |= _repeated(call)
        return {**answer, "consistency": call.level}
    assert isinstance(call, (Insert, UpdateRow, IncrementCounter, DeleteRows))
    return {**answer, **_levels(call.level, is_agreed=is_conditional(call))}


def _levels(level: str, *, is_agreed: bool) -> Mapping[str, Json]:
    return {"consistency": level, **({"serial consistency": SERIAL_LEVEL} if is_agreed else {})}


def _statement(planned: Planned[KeyspaceTarget]) -> str:
    match planned.access_path.call:
        case Select() as call:
            limit = 1 if planned.pattern.kind == "get" else planned.pattern.limit
            if call.nearest is not None:
                return dml.select(call, tuple(_conditions(call)), str(limit), _value(call.nearest.condition))
            return dml.select(call, tuple(_conditions(call)), None if limit is None or call.is_row else str(limit))
        case Insert() as call:
            timestamp = None if call.timestamp is None else f":{call.timestamp}"
            ttl = ":seconds_left" if call.expires else _lifetime(call.lifetime)
            return dml.insert(call, tuple(_inserted_values(planned, call)), ttl, timestamp)
        case UpdateRow() as call:
            assigned = [dml.assignment(assignment, _assigned_value(assignment)) for assignment in call.assignments]
            guards = [dml.guard(guard, _guard_value(guard)) for guard in call.guards]
            ttl = ":seconds_left" if call.ttl else _lifetime(call.lifetime)
            return dml.update(call, assigned, _key(call.key), guards, ttl)
        case IncrementCounter() as call:
            return dml.increment(call, ":by", _key(call.key))
        case DeleteRows() as call:
            return dml.delete(call, _key(call.key), [dml.guard(guard, _guard_value(guard)) for guard in call.guards])
        case call:
            raise TypeError(call)


def _lifetime(lifetime: Lifetime | None) -> str | None:
    if lifetime is None:
        return None
    return ":ttl" if lifetime.seconds is None else str(lifetime.seconds)


def _conditions(call: Select) -> Iterator[dml.ShownCondition]:
    yield from _key((*call.partition, *call.clustering))
    for bound in call.bounds:
        yield from _bounded(bound)
    for match in call.matches:
        yield identifier(match.cell.name), match.operator, _value(match.condition)


def _key(terms: tuple[FixedColumn, ...]) -> list[dml.ShownCondition]:
    return [(identifier(term.cell.name), "=", _filled(term.filled)) for term in terms]


def _filled(filled: Filled) -> str:
    """The mark of a key column: the caller's value, a constant, or the text of a template."""
    lone = filled.template.lone
    if lone is None:
        return literal(filled.template.text)
    condition = filled.slots[0].condition
    return _value(condition) if condition is not None else f":{lone.path}"


def _value(condition: Condition) -> str:
    if condition.constants is None or len(condition.constants) != 1:
        return f":{condition.field.replace('.', '__')}"
    return _literal(condition.constants[0])


def _literal(value: object) -> str:
    return literal(value) if isinstance(value, (str, int, float, bool)) else literal(str(value))


def _bounded(bound: RangeCondition) -> Iterator[dml.ShownCondition]:
    name, condition = identifier(bound.cell.name), bound.condition
    mark = f":{condition.field.replace('.', '__')}"
    if bound.reading is not None:
        yield from _text_bounded(name, condition, bound.reading)
        return
    match condition.kind:
        case "between":
            yield name, ">" if condition.excludes_first else ">=", f"{mark}_first"
            yield name, "<" if condition.excludes_last else "<=", f"{mark}_last"
        case "prefix":
            yield name, ">=", mark
            yield name, "<", f"{mark}_end"
        case "at_least":
            yield name, ">=", _value(condition)
        case _:
            yield name, "<", _value(condition)


def _text_bounded(name: str, condition: Condition, reading: Reading) -> Iterator[dml.ShownCondition]:
    """Bounds of a text that a template computes. `_end` is the first text after all with the prefix."""
    parts = reading.template.parts
    position = len(parts) if reading.next is None else parts.index(reading.next)
    head = "".join(part if isinstance(part, str) else _placeholder_text(part) for part in parts[:position])
    next_placeholder, upper_bound = reading.next, ("<", f":{name}_end")
    if next_placeholder is None or next_placeholder.path != condition.field:
        yield name, ">=", literal(head)
    elif condition.kind == "between":
        sign = ">" if condition.excludes_first else ">="
        yield name, sign, literal(head + _placeholder_text(next_placeholder, "_first"))
        upper_bound = (
            "<" if condition.excludes_last else "<=",
            literal(head + _placeholder_text(next_placeholder, "_last")),
        )
    elif condition.kind == "below":
        yield name, ">=", literal(head)
        upper_bound = "<", literal(head + _placeholder_text(next_placeholder))
    else:
        yield name, ">=", literal(head + _placeholder_text(next_placeholder))
    yield name, *upper_bound


def _placeholder_text(placeholder: Placeholder, end: str = "") -> str:
    filters = "".join(
        f":{filter_}" if filter_.format else f":{filter_.name}" + (f"({filter_.number})" if filter_.number else "")
        for filter_ in placeholder.filters
    )
    return f"{{{placeholder.path}{end}{filters}}}"


def _repeated(call: Select) -> dict[str, Json]:
    """The values for each of which the statement is sent."""
    repeats: dict[str, Json] = {}
    for term in (*call.partition, *call.clustering):
        values = [_values_of(slot) for slot in term.filled.slots if slot.kind not in ("value", "draw")]
        if values:
            repeats[term.cell.name] = ", ".join(values)
    repeats |= {
        match.cell.name: f"each of :{match.condition.field}"
        for match in call.matches
        if match.condition.kind == "one_of"
    }
    return {"for each": repeats} if repeats else {}


def _values_of(slot: Slot) -> str:
    path, count = slot.placeholder.path, slot.count
    form = next((filter_.name for filter_ in slot.placeholder.filters), "value")
    match slot.kind:
        case "values":
            return (
                f"each of :{path}"
                if slot.condition is None or slot.condition.constants is None
                else counted(count or 0, "value")
            )
        case "buckets":
            return f"each {form} between :{path}_first and :{path}_last, at most {count}"
        case "recent":
            return f"each {form} from now back, at most {count}"
        case "shards":
            return f"each of {counted(count or 0, 'shard')}"
        case _:
            return f"each of {', '.join(map(str, slot.constants))}"


def _inserted_values(planned: Planned[KeyspaceTarget], call: Insert) -> Iterator[str]:
    entity_layout = layout(planned.target, planned.binding)
    parts = {part.name: part for part in entity_layout.parts.values()} if entity_layout else {}
    for name in call.columns:
        part = parts.get(name)
        if part is None:
            yield ":version"
        else:
            yield f":{part.cell.field}" if part.template is None else literal(part.template.text)


def _assigned_value(assignment: Assignment) -> str:
    if assignment.filled is not None:
        return literal(assignment.filled.template.text)
    mark = f":{(assignment.part or assignment.cell).field.replace('.', '__')}"
    return f"[{mark}]" if assignment.kind == "push" else mark


def _guard_value(guard: Guard) -> str:
    condition = guard.condition
    if condition is None or condition.kind == "present":
        return "null"
    if condition.kind == "one_of" and condition.constants is not None:
        return f"({', '.join(_literal(value) for value in condition.constants)})"
    return "null" if condition.constants == (None,) else _value(condition)
