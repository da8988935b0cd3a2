"""Searches of the nearest vectors on a real Cassandra 5.0.9: proofs, exact comparison, and limits of the server."""

import random
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pytest
from cassandra import ReadFailure, WriteFailure
from pydantic import BaseModel
from tests.engines.cassandra.planning import a_pattern
from tests.live.cassandra_world import COUNT
from tests.projects import STACK, a_project, imported_alone
from tests.servers import Start

import keywright as kw
from keywright import api, runtime
from keywright.access.path import AccessPath
from keywright.access.search import plan
from keywright.api.live.local_servers import instance_of
from keywright.api.prove.prove import prove_on
from keywright.api.prove.scratch import Server
from keywright.drivers.cassandra import driver as cassandra
from keywright.engines.cassandra.engine import ENGINE
from keywright.frontend.lower import binding_of
from keywright.ir.design import Design
from keywright.migrations.run.runner import run
from keywright.prove.nearest import similarity
from keywright.record import replace
from keywright.runtime.cassandra.execute import prepare
from keywright.runtime.validate.arguments import Arguments

pytestmark = pytest.mark.live

DIMENSIONS = 8
ROWS = 240

space = kw.Keyspace("nearest")


class Note(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        space,
        "notes",
        partition="shelf",
        clustering="number",
        static="owner",
        indexes=[
            kw.CqlIndex("by_angle"),
            kw.CqlIndex("by_distance", similarity_function="euclidean"),
            kw.CqlIndex("by_product", similarity_function="dot_product"),
            kw.CqlIndex("colour"),
            kw.CqlIndex("pages"),
            kw.CqlIndex("tags"),
        ],
    )

    shelf: str
    number: int
    owner: str
    colour: str
    pages: int
    tags: set[str]
    by_angle: Annotated[list[float], kw.Vector(DIMENSIONS)]
    by_distance: Annotated[list[float], kw.Vector(DIMENSIONS)]
    by_product: Annotated[list[float], kw.Vector(DIMENSIONS)] | None


MEASURES: dict[str, Any] = {"by_angle": "cosine", "by_distance": "euclidean", "by_product": "dot_product"}


class Shelves:
    """Notes in a keyspace of their own, inserted one by one because of CASSANDRA-21644."""

    def __init__(self, url: str, version: str) -> None:
        self.driver = cassandra.connect(url)
        binding = binding_of("Note", Note)
        assert binding is not None
        design = Design((binding.entity,), (binding.physical,), (binding,))
        environment = replace(ENGINE.localise(None, version), keyspace_prefix=f"n{next(COUNT)}_")
        self.binding, self.target = binding, ENGINE.place(ENGINE.lower(design)[0], environment)
        run(ENGINE.create(self.target), self.driver)
        self.observed = self.driver.observe()
        draw = random.Random(11)
        self.notes = [_note(draw, number) for number in range(ROWS)]
        for note in self.notes:
            self.put(note)

    def put(self, note: Note) -> None:
        planned = plan(ENGINE, self.target, self.binding, a_pattern("put"))
        prepare(planned, {"": runtime.codec_of(Note), "Note": runtime.codec_of(Note)})(
            self.observed.client, Arguments({}, items=(note,))
        )

    def search(self, vector: list[float] | None, near: str, values: dict[str, Any], **options: Any) -> list[Note]:
        """The answer of a search, whose evidence must agree with its path."""
        planned = plan(ENGINE, self.target, self.binding, a_pattern("read", near=near, **options))
        assert isinstance(planned.path, AccessPath), planned.path
        assert planned.path.similarity == MEASURES[near]
        call = prepare(planned, {"Note": runtime.codec_of(Note)})
        self.observed.events()
        page = call(self.observed.client, Arguments({near: vector, **values}, limit=options["limit"]))
        assert page.cursor is None
        assert list(ENGINE.verify_evidence(planned, self.observed.events(), len(page))) == []
        return list(page)


def _note(draw: random.Random, number: int) -> Note:
    def vector() -> list[float]:
        return [draw.uniform(-1, 1) for _ in range(DIMENSIONS)]

    def unit(numbers: list[float]) -> list[float]:
        length = sqrt(sum(number * number for number in numbers))
        return [number / length for number in numbers]

    return Note(
        shelf=f"s{number % 3}", number=number, owner=f"of s{number % 3}", colour=draw.choice(["red", "blue"]),
        pages=draw.randrange(6), tags={draw.choice("ab")}, by_angle=vector(), by_distance=vector(),
        by_product=unit(vector()) if number % 4 else None,
    )  # fmt: skip


@pytest.fixture(scope="module")
def shelves(start: Start) -> Iterator[Shelves]:
    server = start("cassandra")
    made = Shelves(server.url, server.version)
    yield made
    made.driver.close()


def numbers(notes: list[Note]) -> list[int]:
    return [note.number for note in notes]


def exact(shelves: Shelves, near: str, vector: list[float], limit: int, test: Any = lambda note: True) -> list[int]:
    """The nearest notes, by a computation of all similarities."""
    candidates = [note for note in shelves.notes if test(note) and getattr(note, near) is not None]
    candidates.sort(key=lambda note: -similarity(MEASURES[near], vector, getattr(note, near)))
    return numbers(candidates[:limit])


CASES: dict[str, tuple[dict[str, Any], dict[str, Any], Any]] = {
    "all nodes": ({}, {}, lambda note: True),
    "a partition": ({"eq": "shelf"}, {"shelf": "s1"}, lambda note: note.shelf == "s1"),
    "a part of a partition": (
        {"eq": "shelf", "range": "number"},
        {"shelf": "s1", "number": (30, 200)},
        lambda note: note.shelf == "s1" and 30 <= note.number <= 200,
    ),
    "another index": ({"eq": "colour"}, {"colour": "red"}, lambda note: note.colour == "red"),
    "two other indexes": (
        {"eq": "shelf colour", "range": "pages"},
        {"shelf": "s2", "colour": "red", "pages": (1, 4)},
        lambda note: note.shelf == "s2" and note.colour == "red" and 1 <= note.pages <= 4,
    ),
}


@pytest.mark.parametrize("near", MEASURES)
@pytest.mark.parametrize("case", CASES)
def test_the_nearest_of_an_exact_computation_are_found(shelves: Shelves, near: str, case: str) -> None:
    options, values, test = CASES[case]
    draw = random.Random(case)
    for limit in (1, 5, 12):
        vector = [draw.uniform(-1, 1) for _ in range(DIMENSIONS)]
        found = numbers(shelves.search(vector, near, values, limit=limit, **options))
        expected = exact(shelves, near, vector, limit, test)
        assert len(found) == len(expected)
        assert found[0] == expected[0]
        assert len({*found} & {*expected}) >= 0.8 * len(expected)
        by_number = {note.number: note for note in shelves.notes}
        assert all(test(by_number[number]) for number in found)


def test_a_search_of_some_fields_returns_them(shelves: Shelves) -> None:
    vector = shelves.notes[7].by_angle
    (found,) = shelves.search(vector, "by_angle", {"shelf": "s1"}, eq="shelf", fields="number colour", limit=1)
    assert (found.number, found.colour) == (7, shelves.notes[7].colour)
    assert not hasattr(found, "by_angle")


def test_rows_without_a_vector_are_not_found(shelves: Shelves) -> None:
    found = shelves.search([1.0] * DIMENSIONS, "by_product", {"shelf": "s0"}, eq="shelf", limit=1000)
    assert sorted(numbers(found)) == [note.number for note in shelves.notes if note.shelf == "s0" and note.by_product]


@pytest.mark.parametrize("number", [0.0, 2e17, float("nan"), float("inf")])
def test_the_server_fails_on_the_vectors_that_calls_reject(shelves: Shelves, number: float) -> None:
    vector = [number] * DIMENSIONS
    with pytest.raises(WriteFailure):
        shelves.put(shelves.notes[1].model_copy(update={"by_angle": vector}))
    with pytest.raises(ReadFailure):
        shelves.search(vector, "by_angle", {}, limit=5)


def test_a_read_of_some_columns_by_a_collection_fails_beside_static_columns(shelves: Shelves) -> None:
    """The reason why a search has no condition on a collection in a table with static columns."""
    table = f"{shelves.target.name}.notes"
    session = shelves.observed.client
    vector = str(shelves.notes[1].by_angle)
    search = f"WHERE tags CONTAINS 'a' ORDER BY by_angle ANN OF {vector} LIMIT 1"
    with pytest.raises(ReadFailure, match="UNKNOWN"):
        session.execute(f"SELECT shelf, number FROM {table} {search}")
    assert len(list(session.execute(f"SELECT shelf, number, owner FROM {table} {search}"))) == 1


MODELS = """
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw

space = kw.Keyspace("space")


class Text(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        space, "texts", partition="topic", clustering="text_id",
        indexes=[kw.CqlIndex("meaning"), kw.CqlIndex("sound", similarity_function="euclidean"), kw.CqlIndex("stars")],
    )

    topic: Annotated[str, Field(pattern="^[a-e]$"), kw.Cardinality(distinct=5)]
    text_id: int
    stars: Annotated[int, Field(ge=0, le=3)]
    meaning: Annotated[list[float], kw.Vector(4)]
    sound: Annotated[list[float], kw.Vector(3)] | None = None


similar = kw.Read(Text, near="meaning", limit=10)
similar_of_topic = kw.Read(Text, eq="topic", near="meaning", limit=5)
similar_with_stars = kw.Read(Text, eq="stars", near="meaning", limit=5)
like_sound = kw.Read(Text, near="sound", fields=["topic", "text_id"], limit=4)
text = kw.Get(Text, eq=["topic", "text_id"])
put_text = kw.Put(Text)
"""


def test_searches_are_proved(start: Start, tmp_path: Path) -> None:
    running = start("cassandra")
    stack = STACK.replace("cassandra}", "cassandra, datacentres: {datacenter1: 1}}")
    with imported_alone(tmp_path):
        a_project(tmp_path, {"models/case.py": MODELS, "stacks/Pulumi.dev.yaml": stack})
        project = api.load(str(tmp_path))
        compiled = api.compile(project)
        instance = instance_of(compiled.targets[0])
        results = prove_on(project, compiled, [Server(instance, running.url, running.version)], scale=40)
    assert len(results) == len(project.design.patterns)
    problems = {
        result.row.pattern.name: result.proof.problems if result.proof else ["not served"] for result in results
    }
    assert not any(problems.values()), problems
