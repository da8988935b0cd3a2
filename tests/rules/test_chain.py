"""Folders of this branch against those of another."""

from keywright.errors import Place
from keywright.rules.chain import behind

AT = Place("migrations/keywright.sum", 1)


def findings_in(here: list[str], there: list[str]) -> list[tuple[str, str]]:
    return [(finding.code, finding.version) for finding in behind(here, there, AT)]


def test_folders_behind_those_of_the_other_branch_are_fine() -> None:
    assert findings_in(["0001_a", "0002_b"], ["0001_a"]) == []


def test_a_folder_that_only_the_other_branch_has_is_missing_here() -> None:
    assert findings_in(["0001_a", "0002_b"], ["0001_a", "0002_c"]) == [("NL101", "0002_c"), ("NL101", "0002_b")]


def test_a_folder_in_front_of_the_last_of_the_other_branch_stands_wrong() -> None:
    assert findings_in(["0001_a", "0002_b", "0003_c"], ["0001_a", "0003_c"]) == [("NL101", "0002_b")]


def test_without_versions_there_is_nothing_to_say() -> None:
    assert findings_in([], []) == []
