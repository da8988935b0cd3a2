"""From files to artefacts: the places of errors, and the names that an environment changes."""

from pathlib import Path

import pytest
from tests.projects import STACK, a_project, errors_of, imported_alone, with_imports

from keywright import api, compiler
from keywright.errors import DeclarationErrors, UsageError


def places(folder: Path, model: str, stack: str = STACK) -> list[tuple[str, str]]:
    """(code, text of the line in the model file) of each error."""
    text = with_imports(model)
    errors = errors_of(folder, {"models/case.py": text, "stacks/Pulumi.dev.yaml": stack})
    assert all(error.at.file in ("", str(folder / "models" / "case.py")) for error in errors)
    return [(error.code, text.splitlines()[error.at.line - 1].strip()) for error in errors]


TWO_ARRAYS = """
content = kw.MongoDatabase("content")

class Post(BaseModel):
    __store__: ClassVar = kw.Collection(
        content,
        "posts",
        indexes=[
            kw.Index("title"),
            kw.Index(["tags", "words"], name="both"),
        ],
    )

    title: str
    tags: list[str]
    words: list[str]
"""


def test_a_rejected_index_is_located_at_its_own_line(tmp_path: Path) -> None:
    assert places(tmp_path, TWO_ARRAYS) == [("MDB007", 'kw.Index(["tags", "words"], name="both"),')]


WILDCARD = """
content = kw.MongoDatabase("content")

class Post(BaseModel):
    __store__: ClassVar = kw.Collection(
        content,
        "posts",
        indexes=[
            kw.Index("title"),
            kw.WildcardIndex("facts", name="every"),
        ],
    )

    title: str
    facts: dict[str, str]
"""


def test_an_error_of_a_flavour_is_located_at_the_index(tmp_path: Path) -> None:
    stack = STACK.replace("flavour: mongodb", "flavour: documentdb")
    assert places(tmp_path, WILDCARD, stack) == [("GEN106", 'kw.WildcardIndex("facts", name="every"),')]
    assert places(tmp_path, WILDCARD) == []


VIEW = """
metrics = kw.Keyspace("metrics")

class Reading(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        metrics,
        "readings",
        partition="sensor",
        clustering=["at"],
        views=[
            kw.View("by_day", partition="day", clustering=["sensor", "at"]),
        ],
    )

    sensor: str
    at: AwareDatetime
    day: date
"""


def test_an_error_of_a_flavour_is_located_at_the_view(tmp_path: Path) -> None:
    stack = STACK.replace("flavour: cassandra", "flavour: keyspaces")
    assert places(tmp_path, VIEW, stack) == [
        ("CAS113", 'kw.View("by_day", partition="day", clustering=["sensor", "at"]),')
    ]


FIELD = """
metrics = kw.Keyspace("metrics")

class Reading(BaseModel):
    __store__: ClassVar = kw.CqlTable(metrics, "readings", partition="sensor", clustering=["at"])

    sensor: str
    at: list[int]
"""


def test_a_rejected_field_is_located_at_its_own_line(tmp_path: Path) -> None:
    assert places(tmp_path, FIELD) == [("CAS102", "at: list[int]")]


PHYSICAL = """
shop = kw.DynamoTable(
    "shop",
    gsis=[kw.Gsi("wide", pk="order_id", project=[f"a{at}" for at in range(120)])],
)

class Order(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")

    order_id: str
"""


def test_a_rejected_table_is_located_at_its_declaration(tmp_path: Path) -> None:
    assert ("DDB012", "shop = kw.DynamoTable(") in places(tmp_path, PHYSICAL)


BOUND = """
content = kw.MongoDatabase("content")

class Post(BaseModel):
    title: str
    tags: list[str]
    words: list[str]

posts = kw.bind(Post, kw.Collection(content, "posts", indexes=[kw.Index(["tags", "words"])]))
"""


def test_an_error_of_a_binding_is_located_at_the_binding(tmp_path: Path) -> None:
    assert places(tmp_path, BOUND) == [
        (
            "MDB007",
            'posts = kw.bind(Post, kw.Collection(content, "posts", indexes=[kw.Index(["tags", "words"])]))',
        )
    ]


SMALL = """
content = kw.MongoDatabase("content")

class Post(BaseModel):
    __store__: ClassVar = kw.Collection(content, "posts")

    title: str
"""


def test_an_engine_that_the_environment_lacks_is_located_in_the_stack_file(tmp_path: Path) -> None:
    stack = "config:\n  keywright:environment:\n    mode: dev\n"
    (error,) = errors_of(tmp_path, {"models/case.py": with_imports(SMALL), "stacks/Pulumi.dev.yaml": stack})
    assert (error.at.file, error.problem) == (
        str(tmp_path / "stacks" / "Pulumi.dev.yaml"),
        'the models use MongoDB, but environment "dev" has no settings for it',
    )


def test_all_errors_are_raised_at_once_and_in_order(tmp_path: Path) -> None:
    a_project(tmp_path, {"models/b.py": with_imports(FIELD), "models/a.py": with_imports(TWO_ARRAYS)})
    with imported_alone(tmp_path), pytest.raises(DeclarationErrors) as errors:
        api.load(str(tmp_path))
    assert [(Path(error.at.file).name, error.code) for error in errors.value.exceptions] == [
        ("a.py", "MDB007"), ("b.py", "CAS102"),
    ]  # fmt: skip


def compiled(folder: Path, stack: str) -> api.Compiled:
    a_project(folder, {"models/case.py": with_imports(SMALL), "stacks/Pulumi.dev.yaml": stack})
    with imported_alone(folder):
        return api.compile(api.load(str(folder)))


def test_an_environment_prefixes_physical_names_but_not_files(tmp_path: Path) -> None:
    project = compiled(tmp_path, STACK.replace("{flavour: mongodb", '{flavour: mongodb, database-prefix: "dev_"'))
    (target,) = project.targets
    assert (target.declared.name, target.placed.name, target.store) == ("content", "dev_content", "mongodb/content")
    (artefact,) = project.artefacts
    assert artefact.path == "mongodb/content.js"
    assert '"dev_content"' in artefact.text


def test_an_environment_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    a_project(tmp_path, {"models/case.py": with_imports(SMALL)})
    with imported_alone(tmp_path), pytest.raises(UsageError, match='there is no environment "prod"'):
        api.compile(api.load(str(tmp_path)), "prod")


def test_a_local_server_takes_the_place_of_the_flavour(tmp_path: Path) -> None:
    project = compiled(tmp_path, STACK.replace("flavour: mongodb", "flavour: documentdb"))
    localised = compiler.localised(project.environment, {"mongodb": "6.0.5"})
    part = localised.of("mongodb")
    assert part is not None
    assert (part.flavour, part.version) == ("mongodb", "6.0.5")
    assert localised.of("redis") == project.environment.of("redis")
