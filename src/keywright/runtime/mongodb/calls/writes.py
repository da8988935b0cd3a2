"""Writes as calls, alone or in one transaction."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from bson import Decimal128, Int64
from pymongo import ReturnDocument
from pymongo.errors import DuplicateKeyError
from pymongo.read_concern import ReadConcern

from keywright.engines.mongodb.access.calls import Delete, Increment, Put, Together, Update, Write
from keywright.errors import UsageError
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve
from keywright.ir.template import Placeholder
from keywright.runtime import text as forms
from keywright.runtime.codec import Call, Codec
from keywright.runtime.fill import writer
from keywright.runtime.given import ConditionFailed, Given, argument

from .choose import filter_maker
from .native import Natives
from .puts import MAJORITY, Act, Document, along, collection_of, put, taken
from .reads import options_of


def write(call: Write, codec: Codec[Any], binding: Binding) -> Act:
    """One write."""
    natives = Natives(binding)
    match call:
        case Put():
            return put(call, codec)
        case Update():
            return _update(call, natives, binding)
        case Increment():
            return _increment(call, natives, binding)
        case Delete():
            return _delete(call, natives)


def alone(act: Act) -> Call:
    """A write as a call of its own."""
    return lambda client, given: act(client, given, None)


def together(call: Together, acts: list[Act]) -> Call:
    """Writes of one transaction: all happen, or none."""

    def run(client: Any, given: Given) -> None:
        if len(given.parts) != len(acts):
            problem = f"the transaction has {len(acts)} writes, and the call gives {len(given.parts)}"
            raise UsageError(problem, "give an item or the values for each write, in order")

        def done(session: Any) -> None:
            for act, calls in zip(acts, given.parts, strict=True):
                for one in calls:
                    act(client, one, session)

        with client.start_session() as session:
            session.with_transaction(done, read_concern=ReadConcern("snapshot"), write_concern=MAJORITY)

    return run


def _update(call: Update, natives: Natives, binding: Binding) -> Act:
    asked, options = filter_maker(call.selection, natives), options_of(call.selection)
    sets = [(one, natives.whole(one.field)) for one in call.sets]
    made = [(one.path, _text(binding, natives, one.template)) for one in call.made]
    pushes = natives.single(call.pushes.field) if call.pushes else None
    fixed = {"$unset": dict.fromkeys(call.unset, "")} if call.unset else {}

    def run(client: Any, given: Given, session: Any) -> None:
        filter, change = asked(given), dict[str, Document](fixed)
        values: Document = dict.fromkeys(call.nulls)
        for one, convert in sets:
            value = convert(_given(given, one.field))
            if value is None and one.leaves_out_null:
                change["$unset"] = {**change.get("$unset", {}), one.path: ""}
            else:
                values[one.path] = value
        values |= {path: text(given) for path, text in made}
        if values:
            change["$set"] = values
        if call.pushes is not None and pushes is not None:
            change["$push"] = {call.pushes.path: pushes(_given(given, call.pushes.field))}
            if call.bound is not None:
                filter = {**filter, f"{call.pushes.path}.{call.bound - 1}": {"$exists": False}}
        collection = collection_of(client, call.selection.database, call.selection.collection, call.is_strong)
        try:
            matched = collection.update_one(filter, change, session=session, **options).matched_count
        except DuplicateKeyError as error:
            raise ConditionFailed(taken(error.details or {})) from error
        if not matched:
            raise ConditionFailed(_unmatched(binding, call.bound))

    return run


def _unmatched(binding: Binding, bound: int | None = None) -> str:
    full = f", or whose list has fewer than {bound} elements" if bound is not None else ""
    return f'there is no "{binding.name}" with that key for which the conditions hold{full}'


def _given(given: Given, field: str) -> Any:
    try:
        return given.values[field]
    except KeyError:
        raise UsageError(f'the call does not give "{field}"', f"add {argument(field)}=...") from None


def _text(binding: Binding, natives: Natives, template: Any) -> Callable[[Given], Any]:
    """A function from a call to what a computed attribute is made of it."""
    if template.lone is not None:
        convert, path = natives.single(template.lone.path), template.lone.path
        return lambda given: convert(_inner(given, path, binding))
    parts = [(part.path, writer(part)) if isinstance(part, Placeholder) else part for part in template.parts]

    def made(given: Given) -> str:
        words = (part if isinstance(part, str) else part[1](_inner(given, part[0], binding)) for part in parts)
        return "".join(words)

    return made


def _inner(given: Given, path: str, binding: Binding) -> Any:
    """The value at a path, given by itself or inside an embedded model that is given."""
    names = path.split(".")
    for depth in range(len(names), 0, -1):
        name = ".".join(names[:depth])
        if name in given.values:
            value = given.values[name]
            for inner in names[depth:]:
                value = getattr(value, inner)
            return value
    return _given(given, path)


def _increment(call: Increment, natives: Natives, binding: Binding) -> Act:
    asked, options = filter_maker(call.selection, natives), options_of(call.selection)
    found = resolve(binding.entity.attributes, call.field)
    assert found is not None
    kind = element(found[-1].type)
    is_decimal = isinstance(kind, Scalar) and kind.kind == "decimal"
    step, back = natives.single(call.field), natives.back(call.field)

    def run(client: Any, given: Given, session: Any) -> Any:
        collection = collection_of(client, call.selection.database, call.selection.collection, call.is_strong)
        document = collection.find_one_and_update(
            asked(given),
            {"$inc": {call.path: _number(step(Decimal(str(given.by)) if is_decimal else given.by))}},
            projection={call.path: 1},
            return_document=ReturnDocument.AFTER,
            session=session,
            **options,
        )
        if document is None:
            raise ConditionFailed(_unmatched(binding))
        return back(along(document, call.path))

    return run


def _number(value: Any) -> Any:
    if isinstance(value, str):
        raise UsageError("a number that is stored as text is not incremented", "give the field a number type in types=")
    return value if isinstance(value, (Decimal128, Int64)) else forms.plain(value)


def _delete(call: Delete, natives: Natives) -> Act:
    asked, options = filter_maker(call.selection, natives), options_of(call.selection)

    def run(client: Any, given: Given, session: Any) -> None:
        collection = collection_of(client, call.selection.database, call.selection.collection, call.is_strong)
        delete = collection.delete_one if call.is_one else collection.delete_many
        removed = delete(asked(given), session=session, **options).deleted_count
        if call.is_guarded and not removed:
            raise ConditionFailed("there is no such document for which the conditions hold")

    return run
