"""Lines of a `migration.yaml`, by what they are about."""

from keywright.rules.yaml_lines import lines_of

TEXT = """\
format: 2
migration: '0002'
changes:
  - {id: c1, kind: AddIndex,
     after: {n: 7}}
  - {id: c2, kind: DropField}
steps:
  - {n: 10, phase: expand, applies: [c1]}
  - n: 20
    phase: contract
ignore:
  - {code: DS103, reason: "n: 30"}
  - {code: DS104,
     reason: id}
"""


def test_changes_stages_and_suppressions_are_found_by_their_first_line() -> None:
    assert lines_of(TEXT) == {"c1": 4, "c2": 6, "10": 8, "20": 9, "ignore 0": 12, "ignore 1": 13}


def test_of_another_text_nothing_is_found() -> None:
    assert lines_of("- just\n- a list\n") == {}
