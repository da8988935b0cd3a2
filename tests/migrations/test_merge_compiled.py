"""A merge of two branches is byte for byte what the merged models compile to, wherever their lines end up."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.projects import a_project, imported_alone, with_imports

from keywright import api
from keywright.api.author.diff import snapshot_of
from keywright.engines.registry import engine_of
from keywright.ir.json import canonical
from keywright.migrations.merge import merge
from keywright.migrations.snapshot import EMPTY, Stores
from keywright.record import Record

HEADS = {
    "mongodb": ('kw.MongoDatabase("things")', 'kw.Collection(d, "p", id="{k}", indexes=[INDEXES])', 'kw.Index("NAME")'),
    "dynamodb": (
        'kw.DynamoTable("things", gsis=[INDEXES])',
        'kw.Item(d, pk="P#{k}", sk="P")',
        'kw.Gsi("by_NAME", pk="NAME")',
    ),
    "cassandra": (
        'kw.Keyspace("things")',
        'kw.CqlTable(d, "p", partition="k", indexes=[INDEXES])',
        'kw.CqlIndex("NAME")',
    ),
    "redis": ('kw.RedisServer("things", role="primary")', 'kw.RedisHash(d, key="p:{k}")', ""),
}
NAMES = ("zinc", "amber", "quartz", "beryl", "opal", "jade")
TYPES = ("str", "int", "float", "bool", "list[str]", "Part")


class Line(Record):
    """A field as one side declares it."""

    name: str
    type: str
    is_optional: bool = False
    is_indexed: bool = False


Lines = dict[str, Line | None]


@st.composite
def changed(draw: st.DrawFn, line: Line | None, name: str) -> Line | None:
    """Another form of a field: added, dropped, optional or not, with an index or without."""
    if line is None:
        return Line(name, draw(st.sampled_from(TYPES)), draw(st.booleans()))
    forms = [None, Line(name, line.type, not line.is_optional)]
    if line.type in ("str", "int"):
        forms.append(Line(name, line.type, line.is_optional, is_indexed=True))
    return draw(st.sampled_from(forms))


@st.composite
def branches(draw: st.DrawFn) -> tuple[Lines, Lines, Lines, list[str]]:
    """The lines of the base and of two branches that change different fields, and an order for the merged ones."""
    base: Lines = {
        name: Line(name, draw(st.sampled_from(TYPES)), draw(st.booleans())) if draw(st.booleans()) else None
        for name in NAMES
    }
    theirs, ours = dict(base), dict(base)
    for name in NAMES:
        if (side := draw(st.sampled_from((theirs, ours, None)))) is not None:
            side[name] = draw(changed(base[name], name))
    return base, theirs, ours, draw(st.permutations(NAMES))


def models(engine: str, lines: Lines, order: Iterable[str]) -> str:
    store, entity, index = HEADS[engine]
    fields = [line for name in order if (line := lines[name]) is not None]
    indexes = ", ".join(index.replace("NAME", field.name) for field in fields if field.is_indexed and index)
    text = "".join(
        f"    {field.name}: {field.type}{' | None = None' if field.is_optional else ''}\n" for field in fields
    )
    part = "class Part(BaseModel):\n    size: int\n    code: str\n    also: str | None = None\n"
    full = f"class P(BaseModel):\n    __store__: ClassVar = {entity}\n    k: str\n    part: Part\n{text}".replace(
        "INDEXES", indexes
    )
    return with_imports(f"d = {store}\n".replace("INDEXES", indexes), part, full)


def compiled(folder: Path, text: str) -> Stores:
    created = a_project(folder, text)
    with imported_alone(folder):
        return snapshot_of(api.compile(api.load(created.root), "dev"), EMPTY).stores


@pytest.mark.parametrize("engine", HEADS)
@settings(max_examples=10, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(drawn=branches())
def test_a_merge_is_what_the_merged_models_compile_to(
    engine: str, drawn: tuple[Lines, Lines, Lines, list[str]]
) -> None:
    base, theirs, ours, order = drawn
    both = {name: theirs[name] if ours[name] == base[name] else ours[name] for name in NAMES}
    with TemporaryDirectory() as folder:
        ends = [
            compiled(Path(folder) / f"p{at}", models(engine, lines, names))
            for at, (lines, names) in enumerate(((base, NAMES), (theirs, NAMES), (ours, NAMES), (both, order)))
        ]
    start, there, here, expected = ends
    for sides in ((there, here), (here, there)):
        merged = merge(start, *sides, engine_of)
        assert merged.clashes == ()
        assert canonical(merged.stores) == canonical(expected)  # type: ignore[arg-type]


def test_a_type_that_one_branch_drops_and_the_other_uses_is_a_clash() -> None:
    def lines(*names: str) -> Lines:
        return {name: Line(name, "Part") if name in names else None for name in NAMES}

    sides = (lines("zinc"), lines("zinc", "opal"), lines())
    with TemporaryDirectory() as folder:
        base, theirs, ours = (
            compiled(Path(folder) / f"p{at}", models("cassandra", side, NAMES).replace("    part: Part\n", ""))
            for at, side in enumerate(sides)
        )
    for pair in ((theirs, ours), (ours, theirs)):
        clashes = merge(base, *pair, engine_of).clashes
        assert {("things", "native", "types", "part"), ("things", "native", "tables", "p", "columns", "opal")} in [
            {clash.ours, clash.theirs} for clash in clashes
        ]
