"""Any change of any engine's targets is judged, and written or refused by a finding."""

from datetime import date
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keywright.engines.contract.in_place import CannotChange
from keywright.engines.registry import ENGINES
from keywright.migrations.author.draft import Draft
from keywright.migrations.author.planner import author
from keywright.migrations.rendered import rendered
from keywright.migrations.snapshot import Snapshot, described, key_of
from keywright.rules.run_migration import blocking, run


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_every_change_has_a_report(engine: Any) -> None:
    targets = import_module(f"tests.properties.{engine.name}").targets

    @settings(max_examples=40, deadline=None)
    @given(st.tuples(targets(), targets()))
    def check(pair: tuple[Any, Any]) -> None:
        before, after = (
            Snapshot({engine.store(target): {key_of(engine, target): described(engine, target)}}) for target in pair
        )
        migration = author(
            Draft(before=before, after=after), lambda store: engine, number="0002", slug="any", parent="0001"
        )
        report = run(before, migration, date(2026, 11, 21))
        try:
            rendered(migration, before, lambda store: engine)
        except CannotChange:
            assert blocking(report)
        for finding in report.findings:
            assert finding.message
            assert finding.help
            assert finding.object
            assert "\n" not in finding.message

    check()
