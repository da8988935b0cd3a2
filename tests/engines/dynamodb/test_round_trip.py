"""Generated models as items, and back."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any, Literal
from uuid import UUID

from boto3.dynamodb.types import TypeDeserializer
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import BaseModel, Field, JsonValue, create_model

import keywright as kw
from keywright import runtime
from keywright.engines.dynamodb.schema.typemap import allowed_types
from keywright.frontend.lower import binding_of
from keywright.record import Record

table = kw.DynamoTable("generated")


class Colour(Enum):
    RED = "red"
    GREEN = "green"


class Kind(Record):
    """An annotation and the values of it."""

    annotation: Any
    """The annotation."""
    values: SearchStrategy[Any]
    """Its values."""


NUMBERS = st.builds(
    lambda digits, power: Decimal(digits).scaleb(power), st.integers(-(10**27), 10**27), st.integers(-90, 90)
)
FLOATS = st.floats(allow_nan=False, allow_infinity=False).filter(
    lambda entry: entry == 0 or 1e-130 <= abs(entry) < 1e126
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**37), 10**37) | FLOATS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1), inner, max_size=3),
    max_leaves=5,
)
HASHED = [
    Kind(str, st.text()),
    Kind(int, st.integers(-(10**37), 10**37)),
    Kind(Decimal, NUMBERS),
    Kind(bytes, st.binary()),
    Kind(datetime, st.datetimes(timezones=st.just(UTC))),
    Kind(date, st.dates()),
    Kind(time, st.times()),
    Kind(timedelta, st.timedeltas()),
    Kind(UUID, st.uuids()),
    Kind(bool, st.booleans()),
    Kind(Colour, st.sampled_from(Colour)),
    Kind(Literal[1, 2], st.sampled_from([1, 2])),
]
PLAIN = [*HASHED, Kind(float, FLOATS), Kind(JsonValue, JSON)]


def wider(inner: SearchStrategy[Kind]) -> SearchStrategy[Kind]:
    """Containers of other kinds, and models that embed them."""
    return st.one_of(
        inner.map(listed),
        optional(inner).map(listed),
        inner.map(mapped),
        optional(inner).map(mapped),
        st.sampled_from(HASHED).map(chosen),
        st.lists(inner | optional(inner), min_size=1, max_size=3).map(embedded),
    )


def listed(kind: Kind) -> Kind:
    annotation: Any = kind.annotation
    return Kind(list[annotation], st.lists(kind.values, max_size=3))


def mapped(kind: Kind) -> Kind:
    annotation: Any = kind.annotation
    return Kind(dict[str, annotation], st.dictionaries(st.text(min_size=1), kind.values, max_size=3))


def chosen(kind: Kind) -> Kind:
    annotation: Any = kind.annotation
    return Kind(set[annotation], st.sets(kind.values, max_size=3))


def optional(inner: SearchStrategy[Kind]) -> SearchStrategy[Kind]:
    return inner.map(lambda kind: Kind(kind.annotation | None, st.none() | kind.values))


def embedded(kinds: list[Kind]) -> Kind:
    """A model of these fields, every second with an alias."""
    model = a_model("Part", kinds, None)
    return Kind(model, st.tuples(*(kind.values for kind in kinds)).map(lambda values: filled(model, values)))


def a_model(name: str, kinds: list[Kind], store: object) -> type[BaseModel]:
    fields: dict[str, Any] = {
        f"field_{place}": (kind.annotation, Field(alias=f"f{place}" if place % 2 else None))
        for place, kind in enumerate(kinds)
    }
    created: Any = create_model(name, __module__=__name__, **fields)
    if store:
        created.__store__ = store
    return created  # type: ignore[no-any-return]  # so that it can be given a store


def filled(model: type[BaseModel], values: Any) -> BaseModel:
    return model.model_validate({f"field_{place}": value for place, value in enumerate(values)}, by_name=True)


KINDS = st.recursive(st.sampled_from(PLAIN), wider, max_leaves=4)


@settings(max_examples=60, deadline=None)
@given(st.lists(KINDS | optional(KINDS), min_size=1, max_size=5), st.data())
def test_every_instance_of_every_model_is_read_back(kinds: list[Kind], data: st.DataObject) -> None:
    usual = a_model("Thing", kinds, kw.Item(table, pk="THING", sk="THING"))
    binding = binding_of("Thing", usual)
    assert binding is not None
    usually, others = (
        {attribute.name: allowed_types(attribute.type)[0] for attribute in binding.entity.attributes},
        dict[str, Any](),
    )
    for attribute in binding.entity.attributes:
        native = data.draw(st.sampled_from(allowed_types(attribute.type)), label=attribute.name)
        if native != usually[attribute.name]:
            others[attribute.name] = native
    other = a_model("Thing", kinds, kw.Item(table, pk="THING", sk="THING", types=others))
    for model in (usual, other):
        instance = filled(model, [data.draw(kind.values) for kind in kinds])
        item = runtime.to_item(instance)
        assert runtime.from_item(model, item) == instance
        assert {name: TypeDeserializer().deserialize(value) for name, value in item.items()}.keys() == item.keys()
