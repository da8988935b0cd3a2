"""Tables of `cassandra/killrvideo`: whatever read is drawn for them is served exactly if the server answers it so.

What it answers is stated here once more, from the documentation of SELECT without ALLOW FILTERING: the whole partition
key by equality, clustering columns from left to right, a range last, their order or its opposite, and one index of the
old kind by itself. Of one row anything may be asked, as it is judged after reading, but for 32-bit floats, which have
fewer digits than the caller's, and ranges of a `timeuuid`, which the server alone orders.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.corpora.drawn import a_read, serving
from tests.corpora.killrvideo import Table, design, read
from tests.corpora.modelfile import NEEDED, compiled_of

from keywright.ir.pattern import Pattern

pytestmark = NEEDED

READS = 200
"""Reads that are drawn for each table."""


@pytest.mark.parametrize("version", ["v3", "v4"])
def test_a_read_is_served_exactly_if_the_server_answers_it(tmp_path: Path, version: str) -> None:
    compiled = compiled_of(tmp_path, design(version))
    wrong, served = [], 0
    for table in read(version):
        for pattern in reads(table, Random(table.name)):
            can, by = answering(table, pattern), serving(compiled, pattern)
            served += by is not None
            if by != can:
                wrong.append((table.name, pattern.eq, pattern.range, pattern.order, by, can))
    assert wrong == []
    assert served > READS * 3  # else the drawing would tell little


def reads(table: Table, draw: Random) -> Iterator[Pattern]:
    """Reads by equality of the beginning of a key and of other columns, perhaps by a range, perhaps in an order."""
    clustering = [entry.removeprefix("-") for entry in table.clustering]
    key = [*table.partition, *clustering]
    names = [name for name, kind in table.columns.items() if not kind.startswith("set")]
    for _ in range(READS):
        begun = key[: draw.randint(0, len(key))]
        equal = dict.fromkeys([*begun, *draw.sample(names, draw.choice((0, 0, 0, 1)))])
        rest = [name for name in names if name not in equal]
        near = [name for name in clustering if name in rest] or rest
        ranged = draw.choice((None, *near[:1], *rest))
        length = draw.randint(1, 2)
        order = draw.choice(((), table.clustering, tuple(near[:length]), tuple(f"-{name}" for name in near[:length])))
        yield a_read(table.entity, (*equal,), ranged, order)


def answering(table: Table, pattern: Pattern) -> str | None:
    """What answers a read; None where nothing does."""
    equal = {*pattern.eq}
    filtered = equal - {*table.partition} | ({pattern.range} if pattern.range else set())
    if not {*table.partition} <= equal:
        indexed = {column: f"index {name}" for name, column in table.indexes}
        return indexed.get(*equal) if len(equal) == 1 and not pattern.range and not pattern.order else None
    behind = list(table.clustering)
    while behind and behind[0].removeprefix("-") in equal:
        filtered.discard(behind.pop(0).removeprefix("-"))
    if not behind:
        unjudged = {name for name in filtered if table.columns[name] == "float"}
        if pattern.range and table.columns[pattern.range] == "timeuuid":
            unjudged.add(pattern.range)
        return None if unjudged else f"table {table.name}"
    first = behind[0].removeprefix("-")
    if pattern.range == first and table.columns[first] != "uuid":
        filtered.discard(first)
    expected = [entry for entry in pattern.order if entry.removeprefix("-") not in equal]
    turned = [entry.removeprefix("-") if entry.startswith("-") else f"-{entry}" for entry in expected]
    kept = [entry for entry in behind[: len(expected)] if table.columns[entry.removeprefix("-")] != "uuid"]
    return None if filtered or kept not in (expected, turned) else f"table {table.name}"
