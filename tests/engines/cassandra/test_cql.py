"""Names and values as CQL text."""

import json
from pathlib import Path

import pytest

from keywright.engines.cassandra.schema.capabilities import RESERVED_WORDS
from keywright.engines.cassandra.schema.cql import identifier, identifiers, literal, map_of, plain, qualified

CORPUS = Path(__file__).parents[4] / "shared" / "corpora" / "cassandra" / "reserved_words.json"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("orders", "orders"),
        ("by_day_2", "by_day_2"),
        ("Orders", '"Orders"'),
        ("select", '"select"'),
        ("order", '"order"'),
        ("key", "key"),
        ("2nd", '"2nd"'),
        ("_hidden", '"_hidden"'),
        ("a b", '"a b"'),
        ('a"; DROP TABLE b; --', '"a""; DROP TABLE b; --"'),
        ("zeile\n", '"zeile\n"'),
        ("größe", '"größe"'),
        ("", '""'),
    ],
)
def test_a_name_is_quoted_where_the_server_would_read_it_otherwise(name: str, written: str) -> None:
    assert identifier(name) == written
    assert plain(written) == name


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("it's", "'it''s'"),
        ("'; DROP TABLE b; --", "'''; DROP TABLE b; --'"),
        ("", "''"),
        (864000, "864000"),
        (0.05, "0.05"),
        (True, "true"),
        (False, "false"),
    ],
)
def test_a_constant_is_written_so_that_it_ends_where_it_should(value: str | int | float, written: str) -> None:
    assert literal(value) == written


def test_a_name_in_a_keyspace_has_both_quoted() -> None:
    assert qualified("Shop", "table") == '"Shop"."table"'


def test_names_are_separated_by_commas() -> None:
    assert identifiers(["a", "B"]) == 'a, "B"'


def test_the_class_comes_first_in_a_map() -> None:
    assert map_of([("chunk", "16"), ("class", "L'Z4")]) == "{'class': 'L''Z4', 'chunk': '16'}"


@pytest.mark.skipif(not CORPUS.is_file(), reason="the corpus of public inputs is not here")
@pytest.mark.parametrize("version", ["4.1", "5.0"])
def test_reserved_words_are_those_of_the_version(version: str) -> None:
    assert sorted(RESERVED_WORDS) == json.loads(CORPUS.read_text())["reserved"][version]
