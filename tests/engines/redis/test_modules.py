"""JSON documents and indexes of Search: what is refused, with the way out, and what is planned."""

from typing import Annotated, Any, ClassVar

import pytest
from pydantic import BaseModel, Field
from tests.engines.redis import documents, searched
from tests.engines.redis.designs import refusals_of, server_of
from tests.engines.redis.planning import Plans

import keywright as kw
from keywright.engines.redis.declare.settings import RedisEnvironment
from keywright.engines.redis.engine import ENGINE
from keywright.engines.redis.schema.capabilities import FLAVOURS
from keywright.engines.redis.schema.layout import has_path, json_path
from keywright.errors import DeclarationError

STACK = RedisEnvironment(flavour="redis-stack", version="7.4")
server = kw.RedisServer("modules", role="primary")


def refused(model: type[BaseModel], **others: Any) -> list[tuple[str, str]]:
    return [(each.code, each.problem) for each in refusals_of(__file__, server=server, Thing=model, **others)]


def indexed(*fields: kw.SearchField, kind: Any = kw.RedisJson, key: str = "thing:{name}", **options: Any) -> Any:
    class Thing(BaseModel):
        __store__: ClassVar = kind(server, key=key, indexes=[kw.SearchIndex("things", list(fields))], **options)
        name: str
        text: str = ""
        share: float = 0.0
        whole: int = 0
        wide: Annotated[int, Field(le=2**60)] = 0
        money: Annotated[Any, Field()] = None
        lists: list[str] = []
        vector: Annotated[list[float], kw.Vector(3)]

    return Thing


def test_a_path_quotes_what_is_no_plain_name() -> None:
    assert json_path("a", "b_1") == "$.a.b_1"
    assert json_path("a b", "x.y", 'q"', "it's") == '$["a b"]["x.y"][\'q"\']["it\'s"]'
    assert [has_path(name) for name in ("a b", 'q"', "it's", "\"'", "back\\", "a\n")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


def test_a_name_that_no_path_contains_is_refused() -> None:
    class Thing(BaseModel):
        __store__: ClassVar = kw.RedisJson(server, key="thing:{name}")
        name: str
        odd: Annotated[int, Field(alias="back\\slash")] = 0

    assert refused(Thing) == [("E0311", "the stored name 'back\\\\slash' cannot be part of a path in a JSON document")]


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        (indexed(kw.SearchField("name", "tag")), '"name" is in the key, and an index contains stored fields'),
        (indexed(kw.SearchField("text", "numeric")), '"text" is string'),
        (indexed(kw.SearchField("whole", "tag")), '"whole" is integer'),
        (indexed(kw.SearchField("wide", "numeric")), '"wide" has numbers beyond 2^53, which an index rounds'),
        (indexed(kw.SearchField("share", "text")), '"share" is float'),
        (indexed(kw.SearchField("lists", "vector")), '"lists" is no vector'),
        (indexed(kw.SearchField("lists", "tag", sortable=True)),
         '"lists" has several values, some null or without an order'),
        (indexed(kw.SearchField("lists", "tag"), kind=kw.RedisHash), '"lists" is JSON text in a hash'),
        (indexed(kw.SearchField("vector", "vector"), kind=kw.RedisHash),
         '"vector" is JSON text in a hash, and a vector of a hash is bytes: use a RedisJson'),
    ],
)  # fmt: skip
def test_a_field_that_search_cannot_index_is_refused(model: Any, problem: str) -> None:
    assert refused(model) == [("E0205", f'index "things": {problem}')]


def test_an_index_contains_the_keys_of_one_entity() -> None:
    class Other(BaseModel):
        __store__: ClassVar = kw.RedisJson(server, key="thing:{number}:more")
        number: Annotated[int, Field(ge=0)]
        text: str = ""

    codes = refused(indexed(kw.SearchField("text", "tag")), Other=Other)
    assert ("GEN104", 'index "things" would contain keys of Other, which may begin with "thing:" too') in codes
    everything = indexed(kw.SearchField("text", "tag"), key="{name}")
    assert ("GEN104", 'index "things" would contain all keys, because the key begins with a value') in refused(
        everything
    )


def test_a_place_in_an_index_is_a_computed_text_of_its_degrees() -> None:
    class Place(BaseModel):
        longitude: float
        latitude: float

    class Thing(BaseModel):
        __store__: ClassVar = kw.RedisHash(
            server, key="thing:{name}", computed={"spot": "{place.latitude},{place.longitude}"},
            indexes=[kw.SearchIndex("things", [kw.SearchField("spot", "geo")])],
        )  # fmt: skip
        name: str
        place: Place

    assert refused(Thing) == [("E0205", 'index "things": "spot" is no computed place')]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"kind": "tag", "weight": 2.0}, "weight= has no effect on a tag field"),
        ({"kind": "text", "metric": "euclidean"}, "metric= has no effect on a text field"),
        ({"kind": "vector", "sortable": True}, "results have no order by a vector field"),
        ({"kind": "text", "weight": 0.0}, "weight=0 is not above 0"),
        ({"kind": "tag", "separator": "--"}, 'separator="--" is not one sign'),
    ],
)
def test_an_option_without_an_effect_is_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(DeclarationError, match=problem.replace("(", r"\(")):
        kw.SearchField("f", **options)


def test_indexes_have_names_and_fields() -> None:
    for arguments, problem in (
        (("a b", [kw.SearchField("f", "tag")]), "no name of an index"), (("a", []), "has no fields"),
        (("a", [kw.SearchField("f", "tag"), kw.SearchField("f", "text")]), "twice"),
    ):  # fmt: skip
        with pytest.raises(DeclarationError, match=problem):
            kw.SearchIndex(*arguments)


@pytest.mark.parametrize("flavour", sorted(FLAVOURS))
@pytest.mark.parametrize("module", [documents, searched], ids=["json", "search"])
def test_a_product_without_the_module_is_refused_with_a_way_out(flavour: Any, module: Any) -> None:
    (target,) = ENGINE.lower(Plans(module.__file__, vars(module), STACK).design)
    has_json = {"redis": "8.0", "redis-stack": "6.2", "elasticache": "6.2", "memorydb": "6.2"}
    for version in FLAVOURS[flavour].versions or (None,):
        environment = RedisEnvironment(flavour=flavour, version=version)
        found = [
            each for each in ENGINE.refuse(ENGINE.place(target, environment), environment) if each.code == "RED014"
        ]
        since = has_json.get(flavour)
        is_new = since is not None and (version or "9") >= since
        expects_json = is_new or flavour == "elasticache-serverless"
        expects_search = is_new and flavour in ("redis", "redis-stack")
        assert (not found) == (expects_json if module is documents else expects_search), (flavour, version)
        assert all("flavour redis-stack" in each.help for each in found)


def test_search_is_refused_on_a_cluster() -> None:
    plans = Plans(searched.__file__, vars(searched), STACK)
    cluster = RedisEnvironment(flavour="redis-stack", version="7.4", cluster=True)
    placed = ENGINE.place(ENGINE.unplace(plans.targets["searched"], STACK), cluster)
    problems = [each.problem for each in ENGINE.refuse(placed, cluster) if each.code == "RED014"]
    assert problems == [
        f'index "{name}" is on a cluster, each of whose nodes finds its own keys only'
        for name in ("products", "shops", "visitors")
    ]


def test_a_local_server_of_models_with_modules_is_redis_stack() -> None:
    assert ENGINE.local_product(server_of(__file__, server=server)) == ""
    for module in (documents, searched):
        (target,) = Plans(module.__file__, vars(module), STACK).targets.values()
        assert ENGINE.local_product(target) == "redis-stack"
        assert ENGINE.needs_first_part(target) is (module is searched)


REASONS = {
    "move_home": '"home" may be None, which has no parts: set it as a whole',
    "befriend": '"friends" is no list: set it as a whole',
    "promote_rich": 'no script can check "debt < 1" on decimal: store whole cents in an int',
    "owe": '"debt" is decimal, and Redis adds in floating point: store whole cents in an int',
}


@pytest.mark.parametrize("name", REASONS)
def test_a_change_of_a_document_is_refused_with_its_reason(name: str) -> None:
    plans = Plans(documents.__file__, vars(documents), STACK)
    assert plans.verdict(name) == f"no: {REASONS[name]}"
