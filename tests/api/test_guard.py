"""Findings in previews of accidents, written by the real command line."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from keywright.api.pulumi.guard import CODES, PreviewFinding, PreviewRisk, evaluate
from keywright.cli.main import run
from keywright.errors import UsageError

PREVIEWS = Path(__file__).parents[1] / "pulumi" / "previews"


def preview(name: str) -> str:
    return (PREVIEWS / name).read_text(encoding="utf-8")


def kinds_of(findings: list[PreviewFinding]) -> list[tuple[str, str]]:
    return [(finding.kind, finding.problem.split('"')[1]) for finding in findings]


def edited(name: str, table: str, **states: Any) -> str:
    """A preview with other values in the states of one table."""
    document: Any = json.loads(preview(name))
    for step in document["steps"]:
        if step["urn"].endswith(f"::{table}"):
            for side, words in states.items():
                step[side].update(words)
    return json.dumps(document)


def test_a_preview_that_changes_nothing_is_no_danger() -> None:
    assert evaluate(preview("nothing.json")) == []


@pytest.mark.parametrize("name", ["key.json", "key.jsonl"])
def test_another_key_replaces_the_table_in_either_form(name: str) -> None:
    (finding,) = evaluate(preview(name))
    assert (finding.kind, finding.urn.split("::")[-1]) == ("recreate", "devices")
    assert '"devices" is replaced because of hashKey' in finding.problem


def test_a_table_to_which_pulumi_gives_a_name_is_replaced_beside_the_old_one() -> None:
    document: Any = json.loads(preview("key.json"))
    for step in document["steps"]:
        if step["urn"].endswith("::devices"):
            step["newState"]["inputs"]["__defaults"] = ["name"]
    (finding,) = evaluate(json.dumps(document))
    assert (finding.code, finding.kind) == ("INF617", "replace")


def test_a_table_that_left_the_program_is_deleted_unless_it_was_said() -> None:
    assert sorted(kinds_of(evaluate(preview("gone.json")))) == [
        ("delete", "devices"), ("delete", "messaging"), ("delete", "shop"),
    ]  # fmt: skip
    assert sorted(kinds_of(evaluate(preview("gone.json"), ["-devices", "-shop"]))) == [("delete", "messaging")]
    (finding,) = evaluate(edited("gone.json", "shop", oldState={"retainOnDelete": True}), ["-devices", "-messaging"])
    assert finding.problem == '"shop" leaves the stack'


def test_indexes_that_are_made_anew_are_seen_one_by_one() -> None:
    touched = ["-shop/by_category", "+shop/by_category", "-shop/by_day", "+shop/by_day"]
    assert kinds_of(evaluate(preview("indexes.json"))) == [("index", change.partition("/")[2]) for change in touched]
    assert evaluate(preview("indexes.json"), touched) == []
    left = evaluate(preview("indexes.json"), ["-shop/by_day", "+shop/by_day", "+shop/by_brand"])
    assert kinds_of(left) == [("index", "by_category"), ("index", "by_category"), ("missing", "by_brand")]


@pytest.mark.parametrize(
    ("names", "ignored", "dangers"),
    [
        (["b", "a"], ["globalSecondaryIndexes[1].readCapacity"], ["order"]),
        (["c", "a", "b"], ["globalSecondaryIndexes[0].writeCapacity"], ["order"]),
        (["b", "a"], ["readCapacity"], []),
        (["a", "b", "c"], ["globalSecondaryIndexes[1].readCapacity"], []),
        (["b"], ["globalSecondaryIndexes[0].readCapacity"], ["index"]),
    ],
)
def test_what_is_ignored_by_its_place_stays_with_its_index(
    names: list[str], ignored: list[str], dangers: list[str]
) -> None:
    document: Any = json.loads(preview("indexes.json"))
    (step,) = (update for update in document["steps"] if update["op"] == "update")
    index = step["oldState"]["inputs"]["globalSecondaryIndexes"][0]
    step["newState"] = json.loads(json.dumps(step["oldState"])) | {"ignoreChanges": ignored}
    for side, order in (("oldState", ["a", "b"]), ("newState", names)):
        step[side]["inputs"]["globalSecondaryIndexes"] = [{**index, "name": name} for name in order]
    assert [finding.kind for finding in evaluate(json.dumps(document))] == dangers


def test_an_index_in_the_place_of_another_keeps_what_is_ignored_of_that() -> None:
    (finding,) = evaluate(preview("moved.json"))
    assert (finding.code, finding.kind) == ("INF604", "order")
    assert finding.problem.startswith('"orders" has its indexes in the order user, day instead of day, user, and ')


@pytest.mark.parametrize("ignored", [7, "globalSecondaryIndexes", None, [None]])
def test_what_no_preview_says_of_ignored_changes_is_passed_over(ignored: Any) -> None:
    assert evaluate(edited("moved.json", "orders", newState={"ignoreChanges": ignored})) == []


def test_one_index_may_be_added_to_a_table() -> None:
    document: Any = json.loads(preview("indexes.json"))
    for step in document["steps"]:
        if step["op"] == "update":
            step["newState"] = json.loads(json.dumps(step["oldState"]))
            indexes = step["newState"]["inputs"]["globalSecondaryIndexes"]
            indexes.append({**indexes[0], "name": "one"})
    assert evaluate(json.dumps(document)) == []
    indexes.append({**indexes[0], "name": "two"})
    assert kinds_of(evaluate(json.dumps(document))) == [("index", "two")]


@pytest.mark.parametrize(
    "sides",
    [
        {"oldState": {"protect": True}},
        {"oldState": {"inputs": {"deletionProtectionEnabled": True}}, "newState": {"inputs": {"name": "it"}}},
    ],
)
def test_protection_that_goes_is_told_even_where_it_stops_nothing_yet(sides: Any) -> None:
    findings = evaluate(edited("key.json", "devices", **sides))
    assert kinds_of(findings) == [("recreate", "devices"), ("unprotect", "devices")]
    assert kinds_of(evaluate(edited("key.json", "devices", **sides), ["~devices"])) == [("recreate", "devices")]


def test_indexes_that_are_not_known_yet_are_no_excuse() -> None:
    document: Any = json.loads(preview("indexes.json"))
    for step in document["steps"]:
        if step["op"] == "update":
            step["newState"]["inputs"]["globalSecondaryIndexes"] = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
    assert kinds_of(evaluate(json.dumps(document))) == [("index", "*")]


def test_keys_of_an_index_in_their_other_spelling_are_no_change_unless_the_table_is_made_anew_for_them() -> None:
    assert evaluate(preview("spelling.json")) == []
    assert kinds_of(evaluate(preview("rewritten.json"), ["~orders"])) == [("recreate", "orders")]


def test_protection_that_goes_in_the_update_that_replaces_is_told_with_it() -> None:
    findings = evaluate(preview("unprotected.json"))
    assert [(finding.code, finding.kind) for finding in findings] == [("INF602", "recreate"), ("INF601", "unprotect")]


def test_a_region_that_is_taken_off_the_list_loses_its_copy() -> None:
    (finding,) = evaluate(preview("region.json"))
    assert (finding.code, finding.kind) == ("INF617", "delete")
    assert finding.problem == '"orders" loses its replica in us-east-1, and clients in that region lose access'
    assert evaluate(preview("region.json"), ["-orders@us-east-1"]) == []
    assert evaluate(preview("region.json"), ["-orders@us-west-2"]) == [finding]
    assert evaluate(preview("region.json"), ["-orders"]) == [finding], "the table itself is something else"


def test_a_copy_that_is_made_anew_or_unprotected_is_told_by_its_region() -> None:
    bared, remade = evaluate(preview("copies.json"))
    assert (bared.code, bared.problem) == ("INF601", '"orders" loses its protection in us-east-1')
    assert (remade.code, remade.kind) == ("INF617", "replace")
    assert 'the replica of "orders" in us-west-2 is replaced because of kmsKeyArn' in remade.problem
    for leave in ("~orders", "~orders@us-east-1"):
        assert evaluate(preview("copies.json"), [leave]) == [remade]
    assert evaluate(preview("copies.json"), ["-orders@us-west-2"]) == [bared]


@pytest.mark.parametrize("replicas", ["04da6b54-80e4-46f7-96ec-b56ff0331ba9", [{"kmsKeyArn": "arn:one"}]])
def test_regions_that_are_not_known_yet_are_no_excuse(replicas: Any) -> None:
    document: Any = json.loads(preview("region.json"))
    document["steps"][0]["newState"]["inputs"]["replicas"] = replicas
    assert kinds_of(evaluate(json.dumps(document))) == [("delete", "orders")]
    assert evaluate(json.dumps(document), ["-orders@*"]) == []


def test_a_region_more_and_another_setting_of_a_copy_are_no_danger() -> None:
    document: Any = json.loads(preview("region.json"))
    before, after = (document["steps"][0][side]["inputs"] for side in ("oldState", "newState"))
    after["replicas"] = [
        {**before["replicas"][1], "consistencyMode": "EVENTUAL"},
        {**before["replicas"][0], "pointInTimeRecovery": True},
        {"regionName": "eu-north-1"},
    ]
    assert evaluate(json.dumps(document)) == []
    after["replicas"][0]["consistencyMode"] = "STRONG"
    assert kinds_of(evaluate(json.dumps(document))) == [("replace", "orders")]


@pytest.mark.parametrize("type", ["cassandra:Keyspace", "cassandra:Table", "mongodb:Collection"])
def test_resources_of_our_own_provider_hold_data_too(type: str) -> None:
    urn = f"urn:pulumi:dev::shop::keywright:{type}::content.posts"
    assert kinds_of(evaluate(json.dumps({"steps": [{"op": "delete", "urn": urn}]}))) == [("delete", "content.posts")]
    settings = "urn:pulumi:dev::shop::keywright:redis:Settings::sessions"
    assert evaluate(json.dumps({"steps": [{"op": "delete", "urn": settings}]})) == []


def test_every_kind_of_danger_has_a_code() -> None:
    assert CODES.keys() == set(get_args(PreviewRisk))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '{"steps": 1}',
        '{"steps": [{}]}',
        "no preview",
        '{"steps": [{"op": "update", "urn": "devices"}]}',
        '{"steps": [{"op": "update", "urn": "a::b::c::d", "oldState": "x"}]}',
        '{"resourcePreEvent": 1}',
    ],
)
def test_what_is_no_preview_is_said_to_be_none(text: str) -> None:
    with pytest.raises(UsageError, match="the file is not a Pulumi preview"):
        evaluate(text)


def test_an_allowance_that_means_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match='"orders" is not an operation'):
        evaluate(preview("nothing.json"), ["orders"])


def test_the_command_says_it_in_words_and_as_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(PREVIEWS / "key.json")
    assert run(["guard", file]) == 1
    readouterr = capsys.readouterr()
    assert readouterr.out.startswith('error[INF602]: "devices" is replaced because of hashKey: ')
    assert readouterr.out.endswith("1 finding; `keywright explain INF602` explains the first\n")
    assert "help: restore the former inputs" in readouterr.err
    assert run(["guard", file, "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    schema = json.loads((PREVIEWS.parents[2] / "docs" / "schemas" / "guard.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(document)
    assert [(danger["code"], danger["kind"]) for danger in document["dangers"]] == [("INF602", "recreate")]
    assert run(["guard", str(PREVIEWS / "nothing.json")]) == 0
    assert capsys.readouterr().out == "no findings\n"
    assert run(["guard", str(PREVIEWS / "none.json")]) == 2
    assert "cannot read" in capsys.readouterr().err
