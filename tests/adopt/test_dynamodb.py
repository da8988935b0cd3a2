"""Tables as declarations, from keys, from sampled items and from schema files."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.adopt.laws import assert_is_as_a_person_writes, assert_law
from tests.corpora.modelfile import CORPORA, NEEDED
from tests.projects import imported_alone

from keywright.compiler import load
from keywright.engines.contract.adoption import Adoption, Sample, Schema
from keywright.engines.dynamodb.adopt.clusters import clusters_of
from keywright.engines.dynamodb.adopt.key_template import template_of
from keywright.engines.dynamodb.declare.settings import DynamoEnvironment
from keywright.engines.registry import engine_named, part_of
from keywright.project.settings import read_settings
from keywright.record import replace

ROOT = Path(__file__).parents[2]
PROJECTS = [ROOT, *sorted((ROOT / "tests" / "recall").glob("*/good"))]
ENGINE = engine_named("dynamodb")
ADOPTION = part_of("dynamodb", "adoption", "ADOPTION", Adoption)
ENVIRONMENT = DynamoEnvironment(flavour="dynamodb")
FILES = [
    *sorted((CORPORA / "dynamodb" / "workbench").glob("*/[!O]*.json")),
    *sorted((CORPORA / "dynamodb" / "electrodb").glob("*.json")),
]
OTHER_FORMATS = ("access_patterns.json",)


def schema(path: Path) -> Schema | None:
    return ADOPTION.read_schema({str(path): path.read_text(encoding="utf-8")})


def adopted(target: Any, sample: Sample) -> Any:
    return ADOPTION.adopt(target, {target.name: sample}, ENVIRONMENT)


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: f"{project.parent.name}/{project.name}")
def test_a_table_without_items_is_one_entity_with_all_keys(project: Path, tmp_path: Path) -> None:
    with imported_alone(project):
        design = load(read_settings(project)).design.of_engine("dynamodb")
    for target in ENGINE.lower(design):
        live = replace(target, shape=(), generation=1)
        tables = adopted(live, Sample())
        assert not tables.not_expressed
        assert_law(ENGINE, live, tables, ENVIRONMENT)
        assert_is_as_a_person_writes(tables, tmp_path)


@NEEDED
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_public_schema_is_adopted(path: Path, tmp_path: Path) -> None:
    read = schema(path)
    if path.name in OTHER_FORMATS:
        assert read is None
        return
    assert read is not None
    assert not read.not_expressed
    for target in read.targets:
        tables = adopted(target, read.samples[target.name])
        assert not tables.not_expressed
        assert_law(ENGINE, target, tables, ENVIRONMENT)
        assert_is_as_a_person_writes(tables, tmp_path)


def test_a_template_has_its_tables_under_their_logical_ids() -> None:
    properties = {
        "TableName": {"Fn::Sub": "${Stage}-orders"},
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "TimeToLiveSpecification": {"AttributeName": "expires", "Enabled": True},
    }
    resources = {
        "Orders": {"Type": "AWS::DynamoDB::Table", "Properties": properties},
        "Queue": {"Type": "AWS::SQS::Queue"},
    }
    read = ADOPTION.read_schema({"template.json": json.dumps({"Resources": resources})})
    assert read is not None
    (target,) = read.targets
    assert (target.name, target.ttl) == ("Orders", "expires")
    assert_law(ENGINE, target, adopted(target, Sample()), ENVIRONMENT)


@pytest.mark.parametrize(
    ("definition", "reason"),
    [
        ({"TableName": "t", "KeySchema": [], "AttributeDefinitions": []}, "table not read: it has no KeySchema"),
        ({"TableName": "t", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}], "AttributeDefinitions": []},
         'table not read: "a" has no AttributeDefinitions'),
        ({"DataModel": [{"TableName": "t"}]}, "table not read: it has no KeySchema"),
        ({"DataModel": [{"KeyAttributes": {"PartitionKey": {}}}]},
         "table not read: 'TableName' is missing or of another form"),
    ],
)  # fmt: skip
def test_an_incomplete_definition_is_a_reason_and_never_a_crash(definition: Any, reason: str) -> None:
    read = ADOPTION.read_schema({"table.json": json.dumps(definition)})
    assert read is not None
    assert [part.reason for part in read.not_expressed] == [reason]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "[1]", '{"Resources": 3}', "null"])
def test_other_json_is_no_schema(text: str) -> None:
    assert ADOPTION.read_schema({"other.json": text}) is None


@pytest.mark.parametrize(
    ("keys", "items", "template"),
    [
        (["USER#a", "USER#b"], [{"id": "a"}, {"id": "b"}], "USER#{id}"),
        (["user#a", "user#b"], [{"id": "a"}, {"id": "b"}], "user#{id}"),
        (["USER#a"] * 3, [{"id": "x"}] * 3, None),
        (["alice"] * 3, [{"id": "x"}] * 3, None),
        (["A#7", "A#8"], [{"n": 7}, {"n": 8}], "A#{n}"),
        (["E#A@B", "E#C@D"], [{"mail": "a@b"}, {"mail": "c@d"}], "E#{mail:upper}"),
        (["PROFILE"] * 3, [{"id": "x"}] * 3, "PROFILE"),
        (["a#b", "b#a"], [{"x": "a", "y": "b"}, {"x": "b", "y": "a"}], "{x}#{y}"),
    ],
)
def test_a_part_of_a_key_is_a_field_or_a_word(keys: list[str], items: list[Any], template: str | None) -> None:
    assert template_of(keys, items) == template


def test_words_that_may_be_stored_values_are_no_entities() -> None:
    def entities(*words: str, **fields: str) -> list[str]:
        items = [
            {"pk": f"{word}#{number}", "id": str(number), **({fields[word]: "x"} if word in fields else {})}
            for word in words
            for number in range(4)
        ]
        return [cluster.name for cluster in next(clusters_of(items, ["pk"], "table")).clusters]

    assert entities("USER", "ORDER") == ["Order", "User"]
    assert entities("user", "order", user="email", order="total") == ["Order", "User"]
    assert entities("alice", "bob") == ["table"]


WORDS = st.text("abcXYZ019-@.", min_size=1, max_size=6)


@given(st.lists(st.tuples(WORDS, st.integers(0, 999)), min_size=2, max_size=6), st.sampled_from("#|:/"))
def test_a_template_gives_every_key_from_its_item(pairs: list[tuple[str, int]], separator: str) -> None:
    items = [{"name": name, "number": number, "other": "x"} for name, number in pairs]
    keys = [f"USER{separator}{name}{separator}{number:04d}" for name, number in pairs]
    template = template_of(keys, items)
    if len(set(pairs)) > 1 and all(character not in name for name, _ in pairs for character in "#|:/@"):
        assert template is not None
    if template is not None:
        for item, key in zip(items, keys, strict=True):
            filled = template.replace("{name}", str(item["name"])).replace("{number:pad(4)}", f"{item['number']:04d}")
            filled = filled.replace("{name:upper}", str(item["name"]).upper()).replace("{number}", str(item["number"]))
            assert filled.replace("{name:lower}", str(item["name"]).lower()) == key
