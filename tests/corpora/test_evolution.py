"""One model of `dynamodb/workbench` in fourteen versions: what changes between them, and in which steps."""

import itertools
import json
from typing import Any

import pytest
from tests.corpora.modelfile import CORPORA, NEEDED

from keywright.engines.contract.change import AddIndex
from keywright.engines.contract.diff import diff
from keywright.engines.contract.plan import Statement
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget

pytestmark = NEEDED

FOLDER = CORPORA / "dynamodb" / "workbench" / "an-online-shop"
HERE = ENGINE.localise(None, "3.3.1")


def shop(version: int) -> TableTarget:
    """The one table of a version."""
    (table,) = json.loads((FOLDER / f"AnOnlineShop_{version}.json").read_text(encoding="utf-8"))["DataModel"]
    return native(table)


def native(table: Any) -> TableTarget:
    """A table of a model, without its entities."""
    indexes = tuple(
        IndexTarget(
            index["IndexName"],
            _keys(index),
            index["Projection"]["ProjectionType"],
            tuple(index["Projection"].get("NonKeyAttributes", ())),
        )
        for index in table.get("GlobalSecondaryIndexes", ())
    )
    return TableTarget(table["TableName"], 1, _keys(table), indexes)


def _keys(keyed: Any) -> tuple[KeyPart, ...]:
    roles = {"PartitionKey": "HASH", "SortKey": "RANGE"}
    return tuple(
        KeyPart(entry["AttributeName"], entry["AttributeType"], roles[half])  # type: ignore[arg-type]  # both are roles
        for half, entry in keyed["KeyAttributes"].items()
    )


def statements(before: int, after: int) -> tuple[Statement, ...]:
    return ENGINE.migrate(*(ENGINE.place(shop(version), HERE) for version in (before, after)))


def test_the_versions_add_an_index_twice() -> None:
    result = {}
    for old, new in itertools.pairwise(range(1, 15)):
        entry, other = (ENGINE.describe(shop(version)) for version in (old, new))
        natives = ({"native": described["native"]} for described in (entry, other))
        result[new] = [
            (type(change), change.path[-1]) for change in diff("dynamodb", ENGINE.parts, *natives, ("OnlineShop",))
        ]
    assert {new: changes for new, changes in result.items() if changes} == {
        10: [(AddIndex, "GSI1")], 12: [(AddIndex, "GSI2")],
    }  # fmt: skip


@pytest.mark.parametrize(("before", "after"), list(itertools.permutations(range(1, 15), 2)))
def test_a_step_is_about_one_index_and_no_other(before: int, after: int) -> None:
    old, new = ({index.name for index in shop(version).indexes} for version in (before, after))
    result = statements(before, after)
    assert [statement.object for statement in result] == [("indexes", name) for name in sorted(old ^ new)]
    for statement in result:
        native: Any = statement.native
        (update,) = native["input"]["GlobalSecondaryIndexUpdates"]
        ((operation, index),) = update.items()
        assert (operation, index["IndexName"]) == ("Create" if after > before else "Delete", statement.object[1])
