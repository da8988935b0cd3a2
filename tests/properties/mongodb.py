"""Strategies for MongoDB: designs that `check` accepts, their targets in mongod 6.0, environments.

Hypothesis validates a strategy once; a function that makes one is cached, because a new one for each example costs more
than the example.
"""

from datetime import timedelta
from decimal import Decimal
from functools import cache
from typing import Any

from hypothesis import strategies as st

import keywright as kw
from keywright.declare.store import Store
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.schema.capabilities import FLAVOURS
from keywright.engines.mongodb.schema.check import check
from keywright.engines.mongodb.schema.lower import lower
from keywright.engines.mongodb.schema.target import DatabaseTarget
from keywright.errors import Place
from keywright.ir.attribute import SCALAR_KINDS, Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import Entity

AT = Place("models.py", 1)
NAMES = ("alpha", "beta", "gamma", "delta", "kappa", "naïve")
COLLECTIONS = ("orders", "posts", "people", "a.b", "Ünits")
SOME_COLLECTIONS = st.lists(st.sampled_from(COLLECTIONS), min_size=1, max_size=3, unique=True)


@cache
def targets() -> st.SearchStrategy[DatabaseTarget]:
    """Declared databases that a mongod 6.0 accepts."""
    return designs().map(lambda design: lower(design)[0])


@cache
def environments() -> st.SearchStrategy[MongoEnvironment]:
    """Environments of every flavour."""
    return st.builds(
        MongoEnvironment,
        flavour=st.sampled_from(sorted(FLAVOURS)),
        version=st.none() | st.sampled_from(["5.0", "6.0", "7.0", "8.0"]),
        database_prefix=st.sampled_from(["", "dev_", "prod-"]),
        sharded=st.booleans(),
    )


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """One database with a few collections, without those that `check` rejects."""
    spec = kw.MongoDatabase("generated", validation=draw(st.sampled_from(["strict", "off", "moderate"])))
    physical = Physical("mongodb", spec.name, spec.name, spec, AT)
    bindings: list[Binding] = []
    for name in draw(SOME_COLLECTIONS):
        attributes = draw(entities())
        entity = Entity(f"Entity{len(bindings)}", "models", "", attributes)
        fields = tuple(sorted(attribute.name for attribute in attributes))
        if draw(st.booleans()):
            store: Store = kw.Collection(spec, name, **draw(collection_options(fields, _keys(attributes))))
        else:
            meta = draw(st.sampled_from([attributes[0].name, attributes[0].name, None]))
            store = kw.TimeSeries(spec, name, time="at", meta=meta, **draw(series_options(fields)))
        binding = Binding(entity.name, entity, physical, store, store.templates, {}, AT)
        if not list(check(Design((entity,), (physical,), (binding,)))):
            bindings.append(binding)
    return Design(tuple(binding.entity for binding in bindings), (physical,), tuple(bindings))


@cache
def entities() -> st.SearchStrategy[tuple[Attribute, ...]]:
    """Attributes with a time, which time series and expiry need."""
    time = Attribute("at", "at", "at", Scalar("datetime", is_aware=True))
    return attributes(types()).map(lambda others: (*others, time))


def attributes(kinds: st.SearchStrategy[Type]) -> st.SearchStrategy[tuple[Attribute, ...]]:
    def build(name: str, type: Type, is_nullable: bool, is_required: bool, has_alias: bool) -> Attribute:
        stored = f"{name}Field" if has_alias else name
        return Attribute(name, stored, stored, type, is_nullable=is_nullable, is_required=is_required)

    search_strategy = st.builds(build, st.sampled_from(NAMES), kinds, st.booleans(), st.booleans(), st.booleans())
    return st.lists(search_strategy, min_size=1, max_size=5, unique_by=lambda attribute: attribute.name).map(tuple)


@cache
def types() -> st.SearchStrategy[Type]:
    """Logical types, embedded ones up to two levels deep."""
    return st.recursive(scalars(), _containers, max_leaves=4)


def _containers(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    least, most = st.none() | st.integers(0, 2), st.none() | st.integers(2, 9)
    return st.one_of(
        st.builds(Many, st.sampled_from(["list", "set"]), inner, least, most, st.booleans()),
        st.builds(Map, inner, most, st.booleans()),
        attributes(inner).map(lambda parts: Struct("Part", parts)),
    )


@cache
def scalars() -> st.SearchStrategy[Type]:
    """Single values of every kind, with bounds."""
    search_strategy = st.none() | st.integers(-(2**40), 2**40)
    exact = st.none() | st.decimals(-1000, 1000, places=2)
    return st.one_of(
        st.sampled_from(SCALAR_KINDS).map(lambda kind: Scalar(kind)),  # type: ignore[arg-type]  # they are its values
        st.builds(
            Scalar, st.just("integer"), minimum=search_strategy, maximum=search_strategy, excludes_minimum=st.booleans()
        ),
        st.builds(Scalar, st.just("decimal"), minimum=exact, maximum=st.just(Decimal("1E+5"))),
        st.builds(
            Scalar, st.just("float"), minimum=st.just(0.5), excludes_maximum=st.booleans(), maximum=search_strategy
        ),
        st.builds(Scalar, st.just("string"), min_length=st.integers(0, 3), max_length=st.none() | st.integers(3, 99)),
        st.just(Scalar("string", pattern="^[a-z]+$")),
        st.just(Scalar("string", constants=("red", "green"))),
        st.just(Scalar("integer", constants=(1, 2, 3))),
    )


def _keys(attributes: tuple[Attribute, ...]) -> tuple[str, ...]:
    """The fields that can be the template of an `_id`."""
    return tuple(sorted(field.name for field in attributes if isinstance(field.type, Scalar) and not field.is_nullable))


@cache
def collection_options(fields: tuple[str, ...], keys: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """Options of a collection."""
    return st.fixed_dictionaries(
        {
            "id": st.none() | st.sampled_from([*(f"{{{name}}}" for name in keys), "X#{at:iso}"]),
            "indexes": st.lists(indexes(fields), max_size=4),
            "validation": st.sampled_from(["strict", "moderate", "warn", "moderate-warn", "off", None]),
            "clustered": st.sampled_from([False, False, True, "by id"]),
            "schema_version": st.integers(1, 3),
            "stream": st.none()
            | st.builds(kw.Stream, images=st.sampled_from(["new_and_old", "keys"]), consumers=st.just([])),
            "settings": st.sampled_from(
                [
                    {},
                    {},
                    {"collation": {"locale": "fr_CA"}},
                    {"capped": True, "size": 1000, "max": 9},
                    {"capped": False},
                ]
            ),
        }
    )


def _tests_time(index: kw.Index) -> bool:
    """Whether a filter has a condition on the time of a series, which the server compares with times only."""
    return any("at" in conditions for conditions in index.filters())


@cache
def series_options(fields: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """Options of a time series."""
    plain = st.lists(indexes(fields), max_size=2).map(
        lambda generated: [index for index in generated if isinstance(index, kw.Index) and not _tests_time(index)]
    )
    return st.fixed_dictionaries(
        {
            "meta_index": st.sampled_from([True, True, False]),
            "granularity": st.sampled_from(["seconds", "minutes", "hours"]),
            "ttl": st.none() | st.timedeltas(min_value=timedelta(seconds=1), max_value=timedelta(days=4000)),
            "indexes": plain,
        }
    )


@cache
def filters_over(names: tuple[str, ...], *, is_alternative: bool = False) -> st.SearchStrategy[dict[str, Any]]:
    """Filters of partial indexes: one or several tests of up to two fields."""
    bounds = st.sampled_from([kw.AtLeast(1), kw.Above(1), kw.AtMost("z"), kw.Below(9)])
    types = st.builds(kw.OfType, st.sampled_from(["string", "number", ["int", "string"], ["date"]]))
    single = st.sampled_from([kw.Present(), kw.OneOf(["a", "b"]), kw.OneOf([7]), 3, True, None]) | bounds | types
    # Several tests of one operator in an alternative would be a level too deep.
    several = st.builds(kw.AllOf, st.lists(bounds | types, min_size=1, max_size=3))
    test = single if is_alternative else single | several
    return st.dictionaries(st.sampled_from(names), test, min_size=1, max_size=min(2, len(names)))


@cache
def indexes(names: tuple[str, ...]) -> st.SearchStrategy[kw.Index]:
    """Indexes of every kind over top-level fields."""
    ways = st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True).flatmap(
        lambda chosen: st.tuples(*(st.sampled_from([name, f"-{name}"]) for name in chosen)).map(list)
    )
    where = st.just({}) | filters_over(names)
    rules = st.none() | st.builds(
        kw.Collation, locale=st.sampled_from(["en", "de", "simple"]), strength=st.integers(1, 5)
    )
    name, hidden = st.none() | st.sampled_from(["by_hand", "other"]), st.booleans()
    field = st.sampled_from(names)
    alternatives = st.just([]) | st.lists(filters_over(names, is_alternative=True), min_size=2, max_size=3)
    common = {"where": where, "any_of": alternatives, "name": name, "hidden": hidden}
    some = st.just([]) | st.lists(field, max_size=2, unique=True)
    ttl = st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=4000))
    return st.one_of(
        st.builds(kw.Index, st.sampled_from(["at", "-at"]), expire_after=ttl, **common)
        if "at" in names
        else st.nothing(),
        st.builds(kw.Index, ways, unique=st.booleans(), collation=rules, **common),
        st.builds(kw.Index, ways, unique=st.booleans(), sparse=st.booleans(), name=name, hidden=hidden),
        st.builds(kw.TextIndex, st.lists(field, min_size=1, max_size=2, unique=True), **common),
        st.builds(kw.HashedIndex, field, **common),
        st.builds(kw.HashedIndex, field, before=some, after=some, sparse=st.booleans(), name=name, hidden=hidden),
        st.builds(kw.GeoIndex, field, **common),
        st.builds(kw.WildcardIndex, field | st.just("*"), **common),
        st.builds(kw.WildcardIndex, st.just("*"), only=some, name=name, hidden=hidden),
        st.builds(kw.WildcardIndex, st.just("*"), without=some, name=name, hidden=hidden),
    )
