"""Which values keep an item out of an index."""

from typing import Any

import pytest

from keywright.engines.dynamodb.migrate.index_key_validation import misfit

INDEX = {"keys": [["day", "S", "HASH"], ["rank", "N", "RANGE"], ["mark", "B", "RANGE"]], "projection": "KEYS_ONLY"}


@pytest.mark.parametrize(
    "item",
    [
        {},
        {"day": {"S": "2026-11-21"}, "rank": {"N": "0"}, "mark": {"B": b"\0"}},
        {"day": {"S": "x" * 2048}, "mark": {"B": b"x" * 1024}},
        {"other": {"NULL": True}},
    ],
)
def test_what_fits(item: dict[str, Any]) -> None:
    assert misfit(item, INDEX) is None


@pytest.mark.parametrize(
    ("item", "why"),
    [
        ({"day": {"N": "20261121"}}, '"day" holds N, not S'),
        ({"day": {"NULL": True}}, '"day" holds NULL, not S'),
        ({"rank": {"S": "1"}}, '"rank" holds S, not N'),
        ({"mark": {"SS": ["a"]}}, '"mark" holds SS, not B'),
        ({"day": {"S": ""}}, '"day" is empty'),
        ({"mark": {"B": b""}}, '"mark" is empty'),
        ({"day": {"S": "é" * 1024 + "x"}}, '"day" has 2049 bytes, at most 2048 are allowed'),
        ({"mark": {"B": b"x" * 1025}}, '"mark" has 1025 bytes, at most 1024 are allowed'),
    ],
)
def test_what_does_not_and_why_without_the_value(item: dict[str, Any], why: str) -> None:
    assert misfit(item, INDEX) == why
