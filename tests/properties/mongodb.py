"""Strategies for MongoDB: designs that `check` lets pass, their targets as mongod 6.0 holds them, environments."""

from datetime import timedelta
from decimal import Decimal

from hypothesis import strategies as st

import keywright as kw
from keywright.declare.store import Store
from keywright.engines.mongodb.capabilities import FLAVOURS
from keywright.engines.mongodb.check import check
from keywright.engines.mongodb.lower import lower
from keywright.engines.mongodb.settings import MongoEnvironment
from keywright.engines.mongodb.target import DatabaseTarget
from keywright.errors import Place
from keywright.ir.attribute import SCALAR_KINDS, Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import Entity
from keywright.ir.physical import Physical

AT = Place("models.py", 1)
NAMES = ("alpha", "beta", "gamma", "delta", "kappa", "naïve")
COLLECTIONS = ("orders", "posts", "people", "a.b", "Ünits")


def targets() -> st.SearchStrategy[DatabaseTarget]:
    """Declared databases that a mongod 6.0 takes."""
    return designs().map(lambda design: lower(design)[0])


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
    """One database with a few collections; what `check` refuses of a collection is left out."""
    spec = kw.MongoDatabase("generated")
    physical = Physical("mongodb", spec.name, spec.name, spec, AT)
    bindings: list[Binding] = []
    for name in draw(st.lists(st.sampled_from(COLLECTIONS), min_size=1, max_size=3, unique=True)):
        attributes = draw(entities())
        entity = Entity(f"Entity{len(bindings)}", "models", "", attributes)
        store = draw(collections(spec, name, attributes) | series(spec, name, attributes))
        binding = Binding(entity.name, entity, physical, store, store.templates, {}, AT)
        if not list(check(Design((entity,), (physical,), (binding,)))):
            bindings.append(binding)
    return Design(tuple(binding.entity for binding in bindings), (physical,), tuple(bindings))


def entities() -> st.SearchStrategy[tuple[Attribute, ...]]:
    """Attributes with a time among them, as time series and expiry need one."""
    time = Attribute("at", "at", "at", Scalar("datetime", is_aware=True))
    return attributes(types()).map(lambda found: (*found, time))


def attributes(kinds: st.SearchStrategy[Type]) -> st.SearchStrategy[tuple[Attribute, ...]]:
    def build(name: str, type: Type, is_nullable: bool, is_required: bool, has_alias: bool) -> Attribute:
        stored = f"{name}Field" if has_alias else name
        return Attribute(name, stored, stored, type, is_nullable=is_nullable, is_required=is_required)

    one = st.builds(build, st.sampled_from(NAMES), kinds, st.booleans(), st.booleans(), st.booleans())
    return st.lists(one, min_size=1, max_size=5, unique_by=lambda attribute: attribute.name).map(tuple)


def types() -> st.SearchStrategy[Type]:
    """Logical types, embedded ones up to two levels deep."""
    return st.recursive(scalars(), _containers, max_leaves=4)


def _containers(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    least, most = st.none() | st.integers(0, 2), st.none() | st.integers(2, 9)
    return st.one_of(
        st.builds(Many, st.sampled_from(["list", "set"]), inner, least, most, st.booleans()),
        st.builds(Map, inner, most, st.booleans()),
        attributes(inner).map(lambda found: Struct("Part", found)),
    )


def scalars() -> st.SearchStrategy[Type]:
    """Single values of every kind, with bounds."""
    whole = st.none() | st.integers(-(2**40), 2**40)
    exact = st.none() | st.decimals(-1000, 1000, places=2)
    return st.one_of(
        st.sampled_from(SCALAR_KINDS).map(lambda kind: Scalar(kind)),  # type: ignore[arg-type]  # they are its values
        st.builds(Scalar, st.just("integer"), minimum=whole, maximum=whole, excludes_minimum=st.booleans()),
        st.builds(Scalar, st.just("decimal"), minimum=exact, maximum=st.just(Decimal("1E+5"))),
        st.builds(Scalar, st.just("float"), minimum=st.just(0.5), excludes_maximum=st.booleans(), maximum=whole),
        st.builds(Scalar, st.just("string"), min_length=st.integers(0, 3), max_length=st.none() | st.integers(3, 99)),
        st.just(Scalar("string", pattern="^[a-z]+$")),
        st.just(Scalar("string", constants=("red", "green"))),
        st.just(Scalar("integer", constants=(1, 2, 3))),
    )


def collections(
    database: kw.MongoDatabase, name: str, attributes: tuple[Attribute, ...]
) -> st.SearchStrategy[kw.Collection]:
    plain = [one.name for one in attributes if isinstance(one.type, Scalar) and not one.is_nullable]
    return st.builds(
        kw.Collection,
        st.just(database),
        st.just(name),
        id=st.none() | st.sampled_from([f"{{{one}}}" for one in plain]) | st.just("X#{at:iso}"),
        indexes=st.lists(indexes(attributes), max_size=4),
        validation=st.sampled_from(["strict", "moderate", "warn", "off"]),
        generation=st.just(1),
        schema_version=st.integers(1, 3),
        stream=st.none() | st.builds(kw.Stream, images=st.sampled_from(["new_and_old", "keys"]), consumers=st.just([])),
        settings=st.sampled_from(
            [{}, {}, {"collation": {"locale": "fr_CA"}}, {"capped": True, "size": 1000, "max": 9}, {"capped": False}]
        ),
    )


def series(database: kw.MongoDatabase, name: str, attributes: tuple[Attribute, ...]) -> st.SearchStrategy[Store]:
    plain = st.lists(indexes(attributes), max_size=2).map(
        lambda found: [one for one in found if isinstance(one, kw.Index)]
    )
    return st.builds(
        kw.TimeSeries,
        st.just(database),
        st.just(name),
        time=st.just("at"),
        meta=st.just(attributes[0].name),
        granularity=st.sampled_from(["seconds", "minutes", "hours"]),
        ttl=st.none() | st.timedeltas(min_value=timedelta(seconds=1), max_value=timedelta(days=4000)),
        indexes=plain,
    )


def indexes(attributes: tuple[Attribute, ...]) -> st.SearchStrategy[kw.Index]:
    """Indexes of every kind over top-level fields."""
    names = [one.name for one in attributes]
    ways = st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True).flatmap(
        lambda chosen: st.tuples(*(st.sampled_from([one, f"-{one}"]) for one in chosen)).map(list)
    )
    where = st.sampled_from([{}, {"at": kw.Present()}, {names[0]: kw.Present()}, {names[0]: kw.OneOf(["a", "b"])}])
    rules = st.none() | st.builds(
        kw.Collation, locale=st.sampled_from(["en", "de", "simple"]), strength=st.integers(1, 5)
    )
    name, hidden = st.none() | st.sampled_from(["by_hand", "other"]), st.booleans()
    field = st.sampled_from(names)
    common = {"where": where, "name": name, "hidden": hidden}
    return st.one_of(
        st.builds(kw.Index, ways, unique=st.booleans(), collation=rules, **common),
        st.builds(kw.TextIndex, st.lists(field, min_size=1, max_size=2, unique=True), **common),
        st.builds(kw.HashedIndex, field, **common),
        st.builds(kw.GeoIndex, field, **common),
        st.builds(kw.WildcardIndex, field | st.just("*"), **common),
    )
