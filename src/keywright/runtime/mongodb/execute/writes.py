"""Calls of writes, alone or in one transaction."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from bson import Decimal128, Int64
from pymongo import ReadPreference, ReturnDocument
from pymongo.errors import DuplicateKeyError
from pymongo.read_concern import ReadConcern

from keywright.declare.store import VERSION
from keywright.engines.mongodb.access.calls import (
    DeleteDocuments,
    IncrementDocument,
    PutDocuments,
    Transaction,
    UpdateDocument,
    Write,
)
from keywright.engines.mongodb.access.conditions import admitting
from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.errors import UsageError
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve
from keywright.ir.key_texts import value_piece
from keywright.ir.template import Placeholder
from keywright.ir.text import counted
from keywright.runtime.errors import wrong_version
from keywright.runtime.items import text as forms
from keywright.runtime.items.codec import Codec, PatternFunction
from keywright.runtime.items.fill import writer
from keywright.runtime.items.fit import fit
from keywright.runtime.validate.arguments import Arguments, ConditionFailed, argument
from keywright.runtime.validate.increments import IncrementBounds, room_of

from ..client_types import Client, Document, Documents, Session
from ..limits import limit_of
from .choose import filter_maker
from .native import Natives
from .paging import ID
from .puts import MAJORITY, Act, along, collection_of, exists_message, put
from .reads import options_of


def write(call: Write, codec: Codec[Any], binding: Binding[AnyCollection]) -> Act:
    """A call of one write."""
    natives = Natives(binding)
    match call:
        case PutDocuments():
            return put(call, codec)
        case UpdateDocument():
            return _update(call, natives, binding)
        case IncrementDocument():
            return _increment(call, natives, binding)
        case DeleteDocuments():
            return _delete(call, natives)


def alone(act: Act) -> PatternFunction:
    """A write as a separate call."""
    return lambda client, arguments: act(client, arguments, None)


def together(call: Transaction, acts: list[Act]) -> PatternFunction:
    """The writes of one transaction: all happen, or none."""

    def run(client: Client, arguments: Arguments) -> None:
        if len(arguments.parts) != len(acts):
            problem = f"the transaction has {counted(len(acts), 'write')}, and the call has {len(arguments.parts)}"
            raise UsageError(problem, "pass an item or the values for each write, in order")

        def run_all(session: Session) -> None:
            for act, calls in zip(acts, arguments.parts, strict=True):
                for call in calls:
                    act(client, call, session)

        with client.start_session() as session:
            session.with_transaction(run_all, read_concern=ReadConcern("snapshot"), write_concern=MAJORITY)

    return run


def _update(call: UpdateDocument, natives: Natives, binding: Binding[AnyCollection]) -> Act:
    filter_for, options = filter_maker(call.selection, natives), options_of(call.selection)
    sets = [(field_set, natives.stored(field_set.field)) for field_set in call.sets]
    computed = [(attribute.path, _text(binding, natives, attribute.template)) for attribute in call.template_attributes]
    pushes = natives.single(call.pushes.field) if call.pushes else None
    fixed = {"$unset": dict.fromkeys(call.unset, "")} if call.unset else {}
    admitted = admitting(call.versions)

    def run(client: Client, arguments: Arguments, session: Session | None) -> None:
        filter, change = {**filter_for(arguments), **admitted}, dict[str, Document](fixed)
        values: Document = dict.fromkeys(call.nulls)
        for field_set, convert in sets:
            value = convert(_argument_value(arguments, field_set.field))
            if value is None and field_set.leaves_out_null:
                change["$unset"] = {**change.get("$unset", {}), field_set.path: ""}
            else:
                values[field_set.path] = value
        values |= {path: text(arguments) for path, text in computed}
        if values:
            change["$set"] = values
        if call.pushes is not None and pushes is not None:
            # In a $each list, because the server could read a document as operators.
            change["$push"] = {call.pushes.path: {"$each": [pushes(_argument_value(arguments, call.pushes.field))]}}
            if call.bound is not None:
                filter = {**filter, f"{call.pushes.path}.{call.bound - 1}": {"$exists": False}}
        collection = collection_of(client, call.selection.database, call.selection.collection, call.is_strong)
        try:
            matched = collection.update_one(filter, change, session=session, **options).matched_count
        except DuplicateKeyError as error:
            raise ConditionFailed(exists_message(error.details or {})) from error
        if not matched:
            _check_version(collection, call, binding, filter_for(arguments), session)
            raise ConditionFailed(_unmatched(binding, call.bound))

    return run


def _check_version(
    collection: Documents,
    call: UpdateDocument | IncrementDocument,
    binding: Binding[AnyCollection],
    filter: Document,
    session: Session | None,
) -> None:
    """Raise WrongVersion if an unmatched document exists with another version: one read after a rejected write.

    The query uses only the key if the filter contains it, because other versions may store other fields differently.
    """
    if call.versions is None:
        return
    filter = {ID: filter[ID]} if ID in filter else filter
    collection = collection.with_options(read_preference=ReadPreference.PRIMARY)
    document = collection.find_one(filter, {VERSION: 1}, session=session, **options_of(call.selection))
    if document is not None and (refusal := wrong_version(binding.name, call.versions, document.get(VERSION))):
        raise refusal


def _unmatched(binding: Binding[AnyCollection], bound: int | None = None) -> str:
    full = f", or whose list has fewer than {counted(bound, 'element')}" if bound is not None else ""
    return f'no "{binding.name}" with this key meets the conditions{full}'


def _argument_value(arguments: Arguments, field: str) -> Any:
    try:
        return arguments.values[field]
    except KeyError:
        raise UsageError(f'the call has no value for "{field}"', f"add {argument(field)}=...") from None


def _text(binding: Binding[AnyCollection], natives: Natives, template: Any) -> Callable[[Arguments], Any]:
    """A function that returns the value of a computed attribute for a call."""
    if template.lone is not None:
        convert, path = natives.single(template.lone.path), template.lone.path
        return lambda arguments: convert(_inner(arguments, path, binding))
    fields = binding.entity.attributes
    parts = [
        (part.path, writer(part, fit(template.text, part, value_piece(part, fields))))
        if isinstance(part, Placeholder)
        else part
        for part in template.parts
    ]

    def text_for(arguments: Arguments) -> str:
        pieces = (part if isinstance(part, str) else part[1](_inner(arguments, part[0], binding)) for part in parts)
        return "".join(pieces)

    return text_for


def _inner(arguments: Arguments, path: str, binding: Binding[AnyCollection]) -> Any:
    """The value at a path, from its own argument or from that of an embedded model around it."""
    names = path.split(".")
    for depth in range(len(names), 0, -1):
        name = ".".join(names[:depth])
        if name in arguments.values:
            value = arguments.values[name]
            for inner in names[depth:]:
                value = getattr(value, inner)
            return value
    return _argument_value(arguments, path)


def _increment(call: IncrementDocument, natives: Natives, binding: Binding[AnyCollection]) -> Act:
    filter_for, options = filter_maker(call.selection, natives), options_of(call.selection)
    attributes = resolve(binding.entity.attributes, call.field)
    assert attributes is not None
    kind = element(attributes[-1].type)
    is_decimal = isinstance(kind, Scalar) and kind.kind == "decimal"
    admitted = admitting(call.versions)
    step, back, room_for = natives.single(call.field), natives.back(call.field), room_of(binding, call.field, limit_of)

    def run(client: Client, arguments: Arguments, session: Session | None) -> Any:
        filter, room = {**filter_for(arguments), **admitted}, room_for(arguments.by)
        if room is not None:
            test = {call.path: _within(room, _number(step(room.bound)))}
            filter = {**filter, "$and": [*filter.get("$and", ()), test]}
        collection = collection_of(client, call.selection.database, call.selection.collection, call.is_strong)
        document = collection.find_one_and_update(
            filter,
            {"$inc": {call.path: _number(step(Decimal(str(arguments.by)) if is_decimal else arguments.by))}},
            projection={call.path: 1},
            return_document=ReturnDocument.AFTER,
            session=session,
            **options,
        )
        if document is None:
            _check_version(collection, call, binding, filter_for(arguments), session)
            raise ConditionFailed(_unmatched(binding) + (", or it would leave its bounds" if room else ""))
        return back(along(document, call.path))

    return run


def _within(room: IncrementBounds, bound: Any) -> Document:
    """The filter for a number that an increment keeps within bounds; a range does not match a missing number."""
    inside, outside = ("$lt", "$gt") if room.is_upper else ("$gt", "$lt")
    if room.has_zero:
        return {"$not": {outside + ("e" if room.is_open else ""): bound}}
    return {inside + ("" if room.is_open else "e"): bound}


def _number(value: Any) -> Any:
    if isinstance(value, str):
        raise UsageError("a number that is stored as text is not incremented", "give the field a number type in types=")
    return value if isinstance(value, (Decimal128, Int64)) else forms.plain(value)


def _delete(call: DeleteDocuments, natives: Natives) -> Act:
    filter_for, options = filter_maker(call.selection, natives), options_of(call.selection)

    def run(client: Client, arguments: Arguments, session: Session | None) -> None:
        collection = collection_of(client, call.selection.database, call.selection.collection, call.is_strong)
        delete = collection.delete_one if call.is_one else collection.delete_many
        removed = delete(filter_for(arguments), session=session, **options).deleted_count
        if call.is_guarded and not removed:
            raise ConditionFailed("no such document meets the conditions")

    return run
