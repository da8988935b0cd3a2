"""The native form of what a pattern sends, as a person would send it: made when it is shown."""

from collections.abc import Iterator, Mapping

from keywright.access.fill import Filled, Slot
from keywright.access.path import AccessPath
from keywright.access.reading import Reading
from keywright.access.request import Asked
from keywright.access.search import Planned
from keywright.ir.json import Json
from keywright.ir.template import Placeholder

from ..cql import identifier, literal
from ..target import KeyspaceTarget
from . import dml
from .calls import Bound, Select, Term
from .calls_write import SERIAL_LEVEL, Assignment, Batch, Delete, Guard, Increment, Insert, Update, is_conditional
from .layout import layout


def query(planned: Planned[KeyspaceTarget]) -> Json:
    """See `Engine.query`."""
    assert isinstance(planned.path, AccessPath)
    call = planned.path.call
    if isinstance(call, Batch):
        statements: list[Json] = [_statement(part) for part in planned.parts]
        return {"batch": statements, "type": "LOGGED", **_levels(call.level, is_agreed=call.is_conditional)}
    answer: dict[str, Json] = {"statement": _statement(planned)}
    if isinstance(call, Select):
        answer |= _repeated(call)
        return {**answer, "consistency": call.level}
    assert isinstance(call, (Insert, Update, Increment, Delete))
    return {**answer, **_levels(call.level, is_agreed=is_conditional(call))}


def _levels(level: str, *, is_agreed: bool) -> Mapping[str, Json]:
    return {"consistency": level, **({"serial consistency": SERIAL_LEVEL} if is_agreed else {})}


def _statement(planned: Planned[KeyspaceTarget]) -> str:
    assert isinstance(planned.path, AccessPath)
    match planned.path.call:
        case Select() as call:
            limit = 1 if planned.pattern.kind == "get" else planned.pattern.limit
            return dml.select(call, tuple(_conditions(call)), None if limit is None or call.is_row else str(limit))
        case Insert() as call:
            return dml.insert(call, tuple(_inserted(planned, call)), ":seconds_left" if call.expires else None)
        case Update() as call:
            assigned = [dml.assignment(one, _assigned(one)) for one in call.assignments]
            held = [dml.guard(one, _guarded(one)) for one in call.guards]
            return dml.update(call, assigned, _key(call.key), held, ":seconds_left" if call.ttl else None)
        case Increment() as call:
            return dml.increment(call, ":by", _key(call.key))
        case Delete() as call:
            return dml.delete(call, _key(call.key), [dml.guard(one, _guarded(one)) for one in call.guards])
        case call:
            raise TypeError(call)


def _conditions(call: Select) -> Iterator[dml.Condition]:
    yield from _key((*call.partition, *call.clustering))
    for bound in call.bounds:
        yield from _bounded(bound)
    for match in call.matches:
        yield identifier(match.cell.name), match.operator, _value(match.asked)


def _key(terms: tuple[Term, ...]) -> list[dml.Condition]:
    return [(identifier(term.cell.name), "=", _filled(term.filled)) for term in terms]


def _filled(filled: Filled) -> str:
    """The mark of a key column: the caller's value, a constant, or the text that a template makes."""
    lone = filled.template.lone
    if lone is None:
        return literal(filled.template.text)
    asked = filled.slots[0].asked
    return _value(asked) if asked is not None else f":{lone.path}"


def _value(asked: Asked) -> str:
    if asked.constants is None or len(asked.constants) != 1:
        return f":{asked.field.replace('.', '__')}"
    return _literal(asked.constants[0])


def _literal(value: object) -> str:
    return literal(value) if isinstance(value, (str, int, float, bool)) else literal(str(value))


def _bounded(bound: Bound) -> Iterator[dml.Condition]:
    name, asked = identifier(bound.cell.name), bound.asked
    mark = f":{asked.field.replace('.', '__')}"
    if bound.reading is not None:
        yield from _text_bounded(name, asked, bound.reading)
        return
    match asked.how:
        case "between":
            yield name, ">=", f"{mark}_first"
            yield name, "<=", f"{mark}_last"
        case "prefix":
            yield name, ">=", mark
            yield name, "<", f"{mark}_end"
        case "at_least":
            yield name, ">=", _value(asked)
        case _:
            yield name, "<", _value(asked)


def _text_bounded(name: str, asked: Asked, reading: Reading) -> Iterator[dml.Condition]:
    """Ends of a text that a template makes: `_end` stands for the first text behind all that begin so."""
    parts = reading.template.parts
    at = len(parts) if reading.next is None else parts.index(reading.next)
    head = "".join(part if isinstance(part, str) else _shown(part) for part in parts[:at])
    place, ends = reading.next, ("<", f":{name}_end")
    if place is None or place.path != asked.field:
        yield name, ">=", literal(head)
    elif asked.how == "between":
        yield name, ">=", literal(head + _shown(place, "_first"))
        ends = "<=", literal(head + _shown(place, "_last"))
    elif asked.how == "below":
        yield name, ">=", literal(head)
        ends = "<", literal(head + _shown(place))
    else:
        yield name, ">=", literal(head + _shown(place))
    yield name, *ends


def _shown(placeholder: Placeholder, end: str = "") -> str:
    filters = "".join(f":{one.name}" + (f"({one.number})" if one.number else "") for one in placeholder.filters)
    return f"{{{placeholder.path}{end}{filters}}}"


def _repeated(call: Select) -> dict[str, Json]:
    """What a statement is sent again for."""
    each: dict[str, Json] = {}
    for term in (*call.partition, *call.clustering):
        several = [_several(slot) for slot in term.filled.slots if slot.kind not in ("value", "draw")]
        if several:
            each[term.cell.name] = ", ".join(several)
    each |= {one.cell.name: f"each of :{one.asked.field}" for one in call.matches if one.asked.how == "one_of"}
    return {"for each": each} if each else {}


def _several(slot: Slot) -> str:
    path, count = slot.placeholder.path, slot.count
    form = next((one.name for one in slot.placeholder.filters), "value")
    match slot.kind:
        case "values":
            return f"each of :{path}" if slot.asked is None or slot.asked.constants is None else f"{count} values"
        case "buckets":
            return f"each {form} between :{path}_first and :{path}_last, {count} at the most"
        case "recent":
            return f"each {form} from now back, {count} at the most"
        case "shards":
            return f"each of {count} shards"
        case _:
            return f"each of {', '.join(map(str, slot.constants))}"


def _inserted(planned: Planned[KeyspaceTarget], call: Insert) -> Iterator[str]:
    known = layout(planned.target, planned.binding)
    parts = {part.name: part for part in known.parts.values()} if known else {}
    for name in call.columns:
        part = parts.get(name)
        if part is None:
            yield ":version"
        else:
            yield f":{part.cell.field}" if part.template is None else literal(part.template.text)


def _assigned(one: Assignment) -> str:
    if one.filled is not None:
        return literal(one.filled.template.text)
    mark = f":{(one.part or one.cell).field.replace('.', '__')}"
    return f"[{mark}]" if one.kind == "push" else mark


def _guarded(guard: Guard) -> str:
    asked = guard.asked
    if asked is None or asked.how == "present":
        return "null"
    if asked.how == "one_of" and asked.constants is not None:
        return f"({', '.join(_literal(value) for value in asked.constants)})"
    return "null" if asked.constants == (None,) else _value(asked)
