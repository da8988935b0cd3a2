"""Converts conditions of an index into a partialFilterExpression, and constants into Extended JSON.

`Present` becomes `{$exists: true}`: the only test for presence that every flavour supports and that the planner infers
from a query for a value. The test accepts null; therefore the runtime omits such a field if its value is None.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum

from keywright.declare.names import ordered
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve
from keywright.ir.json import Json
from keywright.ir.pattern import ConstantCondition, Value

from ..declare.filters import Filter, TypeTest, simple_tests, tests_of
from ..declare.indexes import AnyIndex, HashedIndex, Index
from ..declare.options import AnyCollection
from .fields import chosen_type, stored
from .filter_form import normal
from .typemap import native_type

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def partial_filter(binding: Binding[AnyCollection], index: AnyIndex) -> Json:
    """The filter of an index; None if it has no conditions. `check` has already rejected unsupported conditions."""
    conjunction = _conjunction(binding, index.where)
    if index.any_of:
        conjunction.append({"$or": [{"$and": _conjunction(binding, part)} for part in index.any_of]})
    return normal({"$and": conjunction}) if conjunction else None


def _conjunction(binding: Binding[AnyCollection], filter: Filter) -> list[Json]:
    return [{stored(binding, condition.field): test_of(binding, condition)} for condition in tests_of(filter)]


def omitted_fields(binding: Binding[AnyCollection]) -> frozenset[str]:
    """Fields that are omitted if their value is None, because an index contains only documents with the field."""
    return frozenset(name for index in binding.spec.indexes for name in _required_by(index))


def _required_by(index: AnyIndex) -> Iterator[str]:
    yield from (test.field for test in simple_tests(index.where) if test.test == "present")
    if isinstance(index, Index) and index.sparse:
        yield from ordered(index.keys)
    if isinstance(index, HashedIndex) and index.sparse:
        yield index.on


def constant(value: Value, native: str) -> Json:
    """A constant in the Extended JSON of its field's BSON type."""
    plain = value.value if isinstance(value, Enum) else value
    match plain, native:
        case bool() | None, _:
            return plain
        case date(), "string":
            return _text(plain)
        case date(), "long":
            return (_moment(plain) - _EPOCH) // _EPOCH.resolution
        case date(), _:
            return extended_date(_moment(plain))
        case ((Decimal() | int()), "decimal"):
            return {"$numberDecimal": str(plain)}
        case ((Decimal() | int()), "double"):
            return float(plain)
        case ((Decimal() | int()), "string"):
            return str(plain)
        case str(), "objectId":
            return {"$oid": plain}
        case Decimal(), _:
            return {"$numberDecimal": str(plain)}
        case _:
            return plain


def extended_date(moment: datetime) -> Json:
    """A moment as drivers write it in relaxed Extended JSON."""
    milliseconds = (moment - _EPOCH) // (_EPOCH.resolution * 1000)
    if milliseconds < 0:
        return {"$date": {"$numberLong": str(milliseconds)}}
    fraction = f".{milliseconds % 1000:03}" if milliseconds % 1000 else ""
    return {"$date": f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S}{fraction}Z"}


def test_of(binding: Binding[AnyCollection], condition: ConstantCondition | TypeTest) -> Json:
    """The test of one condition in a filter."""
    if isinstance(condition, TypeTest):
        return {"$type": [*condition.types]}
    native = _native(binding, condition.field)
    values = [constant(value, native) for value in condition.values]
    match condition.test:
        case "one_of" if len(values) > 1:
            return {"$in": values}
        case "at_least":
            return {"$gte": values[0]}
        case "above":
            return {"$gt": values[0]}
        case "at_most":
            return {"$lte": values[0]}
        case "below":
            return {"$lt": values[0]}
        case "present":
            return {"$exists": True}
        case _:
            return values[0]


def _native(binding: Binding[AnyCollection], path: str) -> str:
    attributes = resolve(binding.entity.attributes, path)
    inner = element(attributes[-1].type) if attributes else Scalar("string")
    return native_type(inner, chosen_type(binding, path))


def _moment(value: date) -> datetime:
    """The moment in UTC; a bare date is its midnight."""
    if not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def _text(value: date) -> str:
    """ISO text as the runtime writes it: a datetime in UTC with six digits of fraction."""
    if not isinstance(value, datetime):
        return value.isoformat()
    return f"{_moment(value).astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z"
