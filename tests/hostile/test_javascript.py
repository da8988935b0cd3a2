"""Whatever databases, collections, fields and values are called, a script for mongosh asks for these alone."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hostile.texts import TEXTS
from tests.live.stock_tools import node

from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.render import render, script
from keywright.engines.mongodb.schema.javascript import literal
from keywright.engines.mongodb.schema.target import CollectionTarget, DatabaseTarget, IndexTarget
from keywright.record import replace

PLAIN = MongoEnvironment(flavour="mongodb")
VALUES = st.recursive(
    TEXTS | st.booleans() | st.none() | st.integers(-(2**31), 2**31 - 1),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)


def asked_by(scripts: Sequence[str]) -> Any:
    """What each script asks of the server, in the order of its keys."""
    harness = str(Path(__file__).with_name("javascript.js"))
    done = subprocess.run((node(), harness), input=json.dumps(scripts), check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def plain(value: Any) -> Any:
    """A value in the form in which the harness tells it."""
    if isinstance(value, dict):
        return {"document": [[key, plain(inner)] for key, inner in value.items()]}
    return {"list": [plain(entry) for entry in value]} if isinstance(value, list) else value


@settings(max_examples=8, deadline=None)
@given(st.lists(VALUES, min_size=60, max_size=60))
def test_a_literal_is_read_as_the_value_that_it_was_written_from(values: list[Any]) -> None:
    scripts = [f"db.runCommand({literal(value, used=used)});" for value in values for used in (0, 100)]
    expected = [[["runCommand", plain(value)]] for value in values for _ in range(2)]
    assert asked_by(scripts) == expected


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS, TEXTS), min_size=20, max_size=20))
def test_a_script_asks_for_the_objects_of_the_target_alone(names: list[tuple[str, str, str, str]]) -> None:
    scripts = [entry for each in names for entry in _scripts(*each)]
    output = asked_by(scripts)
    for at, (name, entry, field, _) in enumerate(names):
        plainly, by_commands = output[2 * at : 2 * at + 2]
        assert [call[0] for call in plainly] == ["use", "createCollection", "runCommand"]
        assert plainly[0][1] == name
        assert plainly[1][1] == entry
        indexes = dict(plainly[2][1]["document"])["indexes"]
        assert dict(indexes["list"][0]["document"])["key"] == plain(_keys(field))
        assert [call[0] for call in by_commands] == ["runCommand"] * 2
        assert by_commands[0][1]["document"][0] == ["create", entry]


def _keys(field: str) -> dict[str, Any]:
    return {field: 1, f"{field}2": -1, "x": 1, "7": 1}


def _scripts(name: str, one: str, field: str, index: str) -> Iterator[str]:
    index_target = IndexTarget(name=index, keys=tuple(_keys(field).items()), filter={field: {"$gt": one}})
    collection = CollectionTarget(name=one, validator={"$jsonSchema": {"properties": {field: {"enum": [name]}}}})
    database = DatabaseTarget(name=name, collections=(replace(collection, indexes=(index_target,)),))
    yield from (artefact.text for artefact in (*render(database, database, PLAIN), *script(None, database)))
