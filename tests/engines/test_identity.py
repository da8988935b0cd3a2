"""The identifying part of a description, on which RB101 and RB102 run without a migration."""

from pathlib import Path
from typing import Any

import pytest
from tests.projects import imported_alone

from keywright import api
from keywright.engines.contract.identity import formerly, identity
from keywright.migrations.snapshot import Snapshot, described, key_of
from keywright.rules.run_migration import changed_keys

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def targets() -> list[tuple[Any, str, dict[str, Any]]]:
    """(target, key, description) of every target of the example."""
    with imported_alone(ROOT):
        compiled = api.compile(api.load(str(ROOT)), "dev")
    return [
        (target, key_of(target.engine, target.declared), described(target.engine, target.declared))
        for target in compiled.targets
    ]


def changed(target: Any, key: str, before: Any, after: Any) -> list[str]:
    snapshots = (Snapshot({target.store: {key: side}}) for side in (before, after))
    return [finding.object for _, finding in changed_keys(*snapshots, {})]


def test_an_unchanged_identity_gives_the_same_description(targets: Any) -> None:
    for target, _, description in targets:
        assert formerly(description, identity(target.engine.classes, description)) == description


def test_an_identity_shows_a_former_template_like_the_whole_description(targets: Any) -> None:
    compared = 0
    for target, key, after in targets:
        for entity, shape in after["shape"].items():
            for argument, text in shape["key"].items():
                if argument in ("collection", "table"):
                    continue  # BC101 is about these
                former = {**shape, "key": {**shape["key"], argument: f"former-{text}"}}
                before = {**after, "shape": {**after["shape"], entity: former}}
                restored = formerly(after, identity(target.engine.classes, before))
                assert changed(target, key, restored, after) == changed(target, key, before, after)
                compared += len(changed(target, key, restored, after))
    assert compared > 30


def test_an_option_that_changes_in_place_identifies_nothing(targets: Any) -> None:
    for target, _, description in targets:
        for entity, shape in description["shape"].items():
            if "structure" in shape:
                more = {**shape, "structure": {**shape["structure"], "ttl_seconds": 17}}
                other = {**description, "shape": {**description["shape"], entity: more}}
                assert identity(target.engine.classes, other) == identity(target.engine.classes, description)


def test_a_renamed_entity_keeps_its_identity(targets: Any) -> None:
    target, _, description = next(row for row in targets if row[1] == "shop")
    former = identity(target.engine.classes, description)
    assert "Order" in formerly(description, former, {"Order": "Purchase"})["shape"]
    former["shape"]["Purchase"] = former["shape"].pop("Order")
    assert "Purchase" in formerly(description, former, {"Order": "Purchase"})["shape"]
    assert "Order" not in formerly(description, former, {})["shape"]
