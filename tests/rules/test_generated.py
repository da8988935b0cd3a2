"""No rule fails, whatever is declared and asked."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.projects import findings_of
from tests.properties.patterned import STORES, model_file

PATTERNS = 8

RATED = st.sampled_from(['rate="1/s"', 'rate="5k/s", peak="90k/s"', 'rate="2k/s", hot_key="50k/s"', 'rate="2k/day"'])
"""How often a pattern may be called."""


@pytest.mark.parametrize("engine", STORES)
@settings(max_examples=40)
@given(data=st.data(), rates=st.lists(RATED, min_size=PATTERNS, max_size=PATTERNS))
def test_no_rule_fails_on_generated_patterns(engine: str, data: st.DataObject, rates: list[str]) -> None:
    lines = data.draw(model_file(engine, PATTERNS)).splitlines()
    for number, rate in enumerate(rates):
        lines = [
            f"{line[:-1]}, {rate})" if line.startswith(f"p{number} = ") and "rate=" not in line else line
            for line in lines
        ]
    with TemporaryDirectory() as folder:
        findings_of(Path(folder), "\n".join(lines) + "\n")  # fails with the message of a crash
