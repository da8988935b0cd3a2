"""No rule stumbles over any change of any engine's targets."""

from datetime import date
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keywright.engines.registry import ENGINES
from keywright.history.author import Draft, author
from keywright.history.snapshot import Snapshot, described, key_of
from keywright.rules.judge import judge


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_every_change_can_be_judged(engine: Any) -> None:
    targets = import_module(f"tests.properties.{engine.name}").targets

    @settings(max_examples=40, deadline=None)
    @given(st.tuples(targets(), targets()))
    def check(pair: tuple[Any, Any]) -> None:
        before, after = (Snapshot({engine.store(one): {key_of(engine, one): described(engine, one)}}) for one in pair)
        version = author(
            Draft(before=before, after=after), lambda store: engine, number="0002", slug="any", parent="0001"
        )
        for finding in judge(before, version, date(2026, 11, 21)).findings:
            assert finding.message
            assert finding.help
            assert finding.object
            assert "\n" not in finding.message

    check()
