"""`keywright rules`: the catalogue, as a list, filtered, and for documents."""

from .conftest import Keywright


def test_every_code_stands_on_a_line_with_how_bad_it_is(keywright: Keywright) -> None:
    said = keywright("rules", "MDB0", "--asked-of", "models")
    lines = said.out.splitlines()
    assert (said.code, lines[1].split()[:3]) == (0, ["MDB002", "embedded-array-too-long", "warning"])
    assert said.err == f"\n{len(lines)} codes; `keywright explain CODE` prints its page\n"


def test_a_list_is_filtered_by_words(keywright: Keywright) -> None:
    codes = [line.split()[0] for line in keywright("rules", "RED", "--word", "EXPIRE", "-q").out.splitlines()]
    assert "RED004" in codes


def test_a_code_that_is_not_there_is_told(keywright: Keywright) -> None:
    assert keywright("rules", "MDV") == (
        2, "", 'error: no code starts with "MDV"\n  help: did you mean "MDB"?\n',
    )  # fmt: skip


def test_tables_are_made_for_documents(keywright: Keywright) -> None:
    assert keywright("rules", "DDB019", "--format", "markdown").out == (
        "## DynamoDB\n\n"
        "| code | name | problem | scope | in development | elsewhere | parameters |\n|---|---|---|---|---|---|---|\n"
        "| [`DDB019`](DDB019.md) | config-singleton-uncached "
        "| A single item that all callers need is read on every call, without a cache. "
        "| models | warning | warning | `rps` |\n"
    )
