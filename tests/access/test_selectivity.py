"""Selectivity of conditions by declared facts, and lengths of texts that match an expression."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.access.query import Condition
from keywright.access.selectivity import group_size, share_of
from keywright.ir.attribute import Attribute, Facts, Many, Scalar
from keywright.ir.expression import bytes_of

DOCTOR = Attribute("doctor", "doctor", "doctor", Scalar("string", facts=Facts(distinct=20_000)))
STATE = Attribute("state", "state", "state", Scalar("string", constants=("open", "done", "late", "gone")))
IS_PAID = Attribute("is_paid", "is_paid", "is_paid", Scalar("boolean"))
NOTE = Attribute("note", "note", "note", Scalar("string"))
TAGS = Attribute("tags", "tags", "tags", Many("list", Scalar("string", facts=Facts(distinct=100)), 1, 9))
ALL = (DOCTOR, STATE, IS_PAID, NOTE, TAGS)


@pytest.mark.parametrize(
    ("conditions", "share"),
    [
        ([], 1),
        ([Condition("doctor", "equals")], 1 / 20_000),
        ([Condition("state", "one_of", ("open", "late"))], 1 / 2),
        ([Condition("state", "equals", ("open",)), Condition("is_paid", "equals")], 1 / 8),
        ([Condition("state", "not", ("open",))], 3 / 4),
        ([Condition("tags", "contains")], 5 / 100),
        ([Condition("note", "equals")], None),
        ([Condition("doctor", "equals"), Condition("note", "equals")], None),
        ([Condition("doctor", "one_of")], None),
        ([Condition("doctor", "between")], None),
    ],
)
def test_a_share_follows_from_the_number_of_values(conditions: list[Condition], share: float | None) -> None:
    assert share_of(ALL, conditions) == (share if share is None else pytest.approx(share))


def test_items_of_a_group_follow_from_expected_and_the_number_of_values() -> None:
    assert group_size(ALL, 1_000_000, ["doctor"]) == 50
    assert group_size(ALL, 1_000_000, []) == 1_000_000
    assert group_size(ALL, 100, ["doctor"]) == 1
    assert group_size(ALL, None, ["doctor"]) is None
    assert group_size(ALL, 1_000_000, ["note"]) is None


@pytest.mark.parametrize(
    ("pattern", "least", "most"),
    [
        ("^[A-Z0-9]{26}$", 26, 26),
        (r"\A[a-z]{2,5}\Z", 2, 5),
        ("^(ab|cde)$", 2, 3),
        ("^a?b*$", 0, None),
        ("[a-z]{3}", 3, None),
        ("^[a-z]{3}", 3, None),
        (r"^\d{4}$", 4, 16),
        ("^[^/]{1,10}$", 1, 40),
        ("^é{2}$", 4, 4),
        ("^a|bc$", 1, None),
        ("(?i)^ab$", 0, None),
        ("(", 0, None),
    ],
)
def test_an_expression_bounds_the_bytes_of_a_text(pattern: str, least: int, most: int | None) -> None:
    assert bytes_of(pattern) == (least, most)


PARTS = st.sampled_from(["[a-z]", r"\d", "é", "[ab€]", "(?:ab|c)", ".", "[^x]", "x"])
TIMES = st.sampled_from(["", "?", "{2}", "{1,3}"])


@given(st.lists(st.tuples(PARTS, TIMES), min_size=1, max_size=4), st.data())
def test_no_text_that_matches_is_outside_of_its_bounds(parts: list[tuple[str, str]], data: st.DataObject) -> None:
    pattern = "^" + "".join(part + times for part, times in parts) + "$"
    text = data.draw(st.from_regex(re.compile(pattern), fullmatch=True)).removesuffix("\n")
    least, most = bytes_of(pattern)
    assert most is not None
    assert least <= len(text.encode("utf-8", "surrogatepass")) <= most
