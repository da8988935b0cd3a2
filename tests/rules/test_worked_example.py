"""The versions of the worked example, judged like anybody's."""

from pathlib import Path

from tests.rules.migrations import TODAY, error_codes

from keywright.api.author.lint import lint
from keywright.project.settings import read_settings

ROOT = Path(__file__).parents[2]


def test_the_versions_of_the_worked_example_have_no_errors_and_what_they_lose_is_accepted() -> None:
    linted = lint(read_settings(ROOT), TODAY)
    assert linted.migrations
    assert error_codes(linted.report) == []
    assert {suppressed.finding.code for suppressed in linted.report.accepted} >= {"DS103", "DS104"}
