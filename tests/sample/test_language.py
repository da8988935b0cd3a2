"""Texts that match a regular expression."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keywright.errors import UsageError
from keywright.sample.texts.language import texts


def examples(pattern: str, low: int = 0, high: int | None = None, typical: int = 16) -> list[str]:
    space = texts(pattern, low, high, typical, 3, "field")
    return [str(space.at(ordinal)) for ordinal in range(min(50, space.size))]


PATTERNS = [
    r"^\d{4}-W\d{2}$", r"^[A-Z]{2}\d{3,5}$", r"^(cat|dog)s?$", r"^\w+@\w+\.com$", r"^[^/]+/[^/]+$", r"^a.c$",
    r"^\S\s\D$", r"^(?!abc)[a-z]{5}$", r"^[0-9]{100}$",
    r"^(?:ab)+c*?$", r"^(?P<x>[a-f0-9]{8})-[a-f0-9]{4}$", r"abc", r"^$", r"^[\w-]{3,64}$", r"^(?!0)\d{3}$", r"^[^a]\W$",
    r"^(a|a|b)$", r"^\bword\b$",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_texts_match_and_differ(pattern: str) -> None:
    matching = examples(pattern)
    assert matching
    assert all(re.search(pattern, text) for text in matching)
    assert len(set(matching)) == len(matching)


OPEN = [r"^[a-z]+$", r"^[a-z]+[0-9]*$", r"^[a-z]+-[0-9]+(_[A-Z]+)?$", r"^(\w+ )*\w+$", r"^[\w-]{3,64}$"]


@given(pattern=st.sampled_from(OPEN), low=st.integers(5, 90), more=st.integers(0, 10))
@settings(max_examples=60, deadline=None)
def test_texts_have_their_length(pattern: str, low: int, more: int) -> None:
    low = min(low, 50) if "64" in pattern else low
    assert all(low <= len(text) <= low + more for text in examples(pattern, low, low + more))


def test_repeats_end_near_the_typical_length() -> None:
    assert max(map(len, examples(r"^[a-z]+$", typical=20))) <= 20


def test_a_small_language_is_written_out() -> None:
    assert sorted(examples(r"^(cat|dog)s?$")) == ["cat", "cats", "dog", "dogs"]


def test_a_possessive_repeat_and_an_atomic_group_are_computed() -> None:
    assert sorted(examples(r"^(?>a|b)c?+$")) == ["a", "ac", "b", "bc"]


@pytest.mark.parametrize("pattern", [r"^a(?!b)b$", r"^[^\s\S]$", r"^(\d)\1$", r"^([a-z]{9})\1$"])
def test_a_pattern_without_a_text_is_reported_with_the_field(pattern: str) -> None:
    with pytest.raises(UsageError, match='no sample value of field "field" matches'):
        examples(pattern)


def test_a_pattern_too_long_for_its_field_is_reported_with_the_field() -> None:
    with pytest.raises(UsageError, match="within its bounds"):
        examples(r"^[a-z]{9}$", 0, 8)
