"""Times of other clients in keys, hashes, JSON and members of Redis."""

import json
from typing import Any

import pytest
from tests.adopt.test_redis import adopted, keys

from keywright.edit.create.model_file import ModelFile, source_of

DAYS = range(1, 6)
MILLISECONDS = [f"2026-01-0{day}T03:04:05.{day}23Z" for day in DAYS]
SECONDS = [f"{text[:19]}Z" for text in MILLISECONDS]
MIXED = [*MILLISECONDS[:4], SECONDS[4]]


def source(values: Any, type: str) -> str:
    found = adopted(type, values)
    return source_of(ModelFile("Adopted.", found.design, found.comments))


@pytest.mark.parametrize(
    ("texts", "annotation"),
    [
        (MILLISECONDS, 'Annotated[datetime, kw.Precision("milliseconds")]'),
        (SECONDS, 'Annotated[datetime, kw.Precision("seconds")]'),
        (MIXED, "str"),
    ],
)
def test_times_have_the_precision_of_their_texts(texts: list[str], annotation: str) -> None:
    hashes = {f"visit:{number}": {b"seen": text.encode()} for number, text in enumerate(texts)}
    assert f"seen: {annotation}\n" in source(hashes, "hash")
    documents = {f"visit:{number}": json.dumps({"seen": text, "n": 1}).encode() for number, text in enumerate(texts)}
    assert f"seen: {annotation}\n" in source(documents, "string")
    members = {"visits": [text.encode() for text in texts]}
    assert f"member: {annotation}\n" in source(members, "set")


def test_times_in_keys_have_their_precision() -> None:
    values = {f"visit:{text}:o{number}": b"x" for number, text in enumerate(MILLISECONDS)}
    assert keys(adopted("string", values)) == ["visit:{at:iso}:{id}"]
    assert 'at: Annotated[datetime, kw.Precision("milliseconds")]' in source(values, "string")
