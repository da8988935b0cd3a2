"""The versions of the worked example, judged like anybody's."""

from pathlib import Path

from tests.rules.versions import TODAY, error_codes

from keywright.api.lint import lint
from keywright.project.settings import read_settings

ROOT = Path(__file__).parents[2]


def test_the_versions_of_the_worked_example_have_no_errors_and_what_they_lose_is_accepted() -> None:
    linted = lint(read_settings(ROOT), TODAY)
    assert linted.versions
    assert error_codes(linted.report) == []
    assert {one.finding.code for one in linted.report.accepted} >= {"DS103", "DS104"}
