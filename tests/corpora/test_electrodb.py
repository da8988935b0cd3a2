"""Tables of `dynamodb/electrodb`: whatever read is drawn for them is served exactly if some key can serve it.

What a key can serve is stated here once more, from the documentation of Query: all hash attributes by equality, sort
attributes from left to right, a range last, filters on no attribute of the key, the order of the next sort attribute.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.corpora.drawn import a_read, serving
from tests.corpora.electrodb import FOLDER, Key, design, fields, keys, read
from tests.corpora.modelfile import NEEDED, compiled_of

from keywright.ir.pattern import Pattern

pytestmark = NEEDED

READS = 1_000
"""Reads that are drawn for each table."""


@pytest.mark.parametrize("name", sorted(file.stem for file in FOLDER.glob("*.json")))
def test_a_read_is_served_exactly_if_a_key_can_serve_it(tmp_path: Path, name: str) -> None:
    given = read(name)
    known = keys(given)
    compiled = compiled_of(tmp_path, design(given))
    wrong, served = [], 0
    for pattern in reads(known, [*fields(given)], Random(name)):
        can: set[str | None] = {key.name for key in known if can_serve(key, pattern, known[0])}
        by = serving(compiled, pattern)
        served += by is not None
        if by not in (can or {None}):
            wrong.append((pattern.eq, pattern.range, pattern.order, by, can))
    assert wrong == []
    assert READS / 5 < served < READS * 4 / 5  # else the drawing would tell little


def reads(known: list[Key], names: list[str], draw: Random) -> Iterator[Pattern]:
    """Reads by equality of the beginning of a key and of other fields, perhaps by a range, perhaps in an order."""
    *some, last = names
    for _ in range(READS):
        key = draw.choice(known)
        begun = [*key.hashes, *key.sorts][: draw.randint(0, len(key.hashes) + len(key.sorts))]
        equal = dict.fromkeys([*begun, *draw.sample(some, draw.choice((0, 0, 1, 2)))])
        rest = [*(name for name in some if name not in equal), last]
        near = [name for name in key.sorts if name in rest] or rest
        ranged = draw.choice((None, draw.choice(near), draw.choice(rest)))
        order = draw.choice(((), (draw.choice(near),), (f"-{draw.choice(near)}",), (draw.choice(rest),)))
        yield a_read("Thing", (*equal,), ranged, order)


def can_serve(key: Key, pattern: Pattern, own: Key) -> bool:
    """Whether a key can serve a read."""
    equal = {*pattern.eq}
    behind = [*key.sorts]
    while behind and behind[0] in equal:
        del behind[0]
    is_ranged = pattern.range in behind[:1]
    filtered = (equal - {*key.hashes, *key.sorts}) | ({pattern.range} if pattern.range and not is_ranged else set())
    if not {*key.hashes} <= equal or equal & {*behind} or filtered & {*key.hashes, *key.sorts}:
        return False
    if key.held is not None and not filtered <= key.held:
        return False
    is_one = key == own and not behind and not filtered  # with a filter it is too, see test_wanted.py
    return is_one or not pattern.order or pattern.order[0].removeprefix("-") in behind[:1]
