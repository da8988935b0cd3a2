"""Keys of two items are never the same, whatever values a call or an unvalidated instance brings."""

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.access.asking import a_field
from tests.projects import a_project, imported_alone, with_imports

from keywright import runtime
from keywright.ir.attribute import Scalar
from keywright.ir.key_texts import ANY, is_ambiguous, pieces, value_piece
from keywright.ir.template import parse
from keywright.runtime.errors import InvalidValue
from keywright.runtime.items.fill import writer
from keywright.runtime.items.fit import fit

FIELDS = (
    a_field("any"),
    a_field("word", Scalar("string", pattern="^[a-z0-9-]+$")),
    a_field("lax", Scalar("string", pattern="(?i)^[a-z]+$")),
    a_field("code", Scalar("string", min_length=2, max_length=2)),
    a_field("state", Scalar("string", constants=("new", "paid"))),
    a_field("number", "integer"),
    a_field("uid", "uuid"),
)
HOSTILE = st.text("a1A:#-}{\n", max_size=6)
WORDS = st.text("a1-", min_size=1, max_size=6)
VALUES = {
    "{any}": HOSTILE,
    "{word}": WORDS,
    "{word:upper}": WORDS,
    "{word:tag}": WORDS,
    "{lax}": st.text("aA", min_size=1, max_size=6),
    "{code}": st.text("a1A:#-", min_size=2, max_size=2),
    "{state}": st.sampled_from(("new", "paid")),
    "{number}": st.integers(-9, 99).map(str),
    "{uid}": st.uuids().map(str),
}
"""Values of each placeholder; most hostile texts are refused by all but the first."""


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A template of two or three placeholders with separators between them, and its values."""
    placeholders = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=2, max_size=3, unique=True))
    text = "K" + "".join(draw(st.sampled_from((":", "#", "a", ":a"))) + placeholder for placeholder in placeholders)
    return text, [draw(VALUES[placeholder]) for placeholder in placeholders]


@given(st.data(), cases())
def test_two_lists_of_values_write_one_key_only_where_they_are_one(
    data: st.DataObject, case: tuple[str, list[str]]
) -> None:
    text, values = case
    template = parse(text)
    assume(not is_ambiguous(pieces(template, FIELDS)))
    writers = [
        writer(placeholder, fit(text, placeholder, value_piece(placeholder, FIELDS)))
        for placeholder in template.placeholders
    ]

    def written(values: list[str]) -> str | None:
        rest = zip(writers, values, strict=True)
        try:
            words = [write(value) for write, value in rest]
        except InvalidValue:
            return None
        return "".join(part if isinstance(part, str) else words.pop(0) for part in template.parts)

    key = written(values)
    assume(key is not None)
    # Other values of the same key: what is written is cut elsewhere.
    other = data.draw(st.lists(HOSTILE, min_size=len(writers), max_size=len(writers)))
    shifted = _shifted(values, data)
    for some in (other, shifted):
        if written(some) == key:
            assert [write(v) for write, v in zip(writers, some, strict=True)] == [
                write(v) for write, v in zip(writers, values, strict=True)
            ]


def _shifted(values: list[str], data: st.DataObject) -> list[str]:
    """The same letters with the border between the first two values moved over a separator."""
    first, second, *rest = values
    full = f"{first}:{second}"
    at = data.draw(st.sampled_from([place for place, letter in enumerate(full) if letter == ":"]))
    return [full[:at], full[at + 1 :], *rest]


def test_a_pattern_in_which_case_counts_for_nothing_says_nothing_of_letters() -> None:
    assert value_piece(parse("{lax}").placeholders[0], FIELDS) == ANY


@pytest.mark.parametrize(
    ("placeholder", "text", "words"),
    [
        ("{word}", "acme:x", 'takes only characters of "-0-9a-z"'),
        ("{word}", "acme\n", 'takes only characters of "-0-9a-z"'),
        ("{word:tag}", "a}b", 'takes only characters of "-0-9a-z"'),
        ("{code}", "abc", "takes exactly 2 characters"),
        ("{number}", "1:2", 'takes only characters of "-0-9"'),
    ],
)
def test_a_text_that_does_not_fit_is_refused_without_being_told(placeholder: str, text: str, words: str) -> None:
    (entry,) = parse(placeholder).placeholders
    with pytest.raises(ValueError, match=words) as caught:
        writer(entry, fit("key", entry, value_piece(entry, FIELDS)))(text)
    assert text not in str(caught.value)


MODELS = """
table = kw.DynamoTable("notes", pk="pk", sk="sk")
shop = kw.MongoDatabase("shop")
space = kw.Keyspace("shop")
server = kw.RedisServer("app", role="primary")


class Note(BaseModel):
    tenant: Annotated[str, Field(pattern="^[a-z0-9-]+$", max_length=20)]
    id: Annotated[str, Field(max_length=30)]
    cents: int = 0


class Limit(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        server, key="calls:{tenant}:{route}", limit=5, per=timedelta(seconds=60), window="sliding"
    )
    tenant: Annotated[str, Field(pattern="^[a-z0-9-]+$", max_length=20)]
    route: Annotated[str, Field(max_length=10)]


allow = kw.Take(Limit)
dynamodb = kw.bind(Note, kw.Item(table, pk="NOTE#{tenant}#{id}", sk="NOTE"))
mongodb = kw.bind(Note, kw.Collection(shop, "notes", id="{tenant}:{id}"))
cassandra = kw.bind(Note, kw.CqlTable(space, "notes", partition="place", computed={"place": "{tenant}:{id}"}))
redis = kw.bind(Note, kw.RedisHash(server, key="note:{tenant}:{id}"))
"""
ENGINES = ("dynamodb", "mongodb", "cassandra", "redis")
MODELS += "".join(
    f"""
{engine}_get = kw.Get({engine})
{engine}_put = kw.Put({engine})
{engine}_set = kw.Update({engine}, sets="cents")
{engine}_delete = kw.Delete({engine})
{engine}_some = kw.Read({engine}, eq="id", one_of="tenant", limit=10)
"""
    for engine in ENGINES
) + "".join(f'{engine}_add = kw.Increment({engine}, "cents")\n' for engine in ENGINES if engine != "cassandra")


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The module of the models, imported as an application does."""
    folder = tmp_path_factory.mktemp("notes")
    with imported_alone(folder):
        a_project(folder, {"models/notes.py": with_imports(MODELS)})
        import sys

        sys.path.insert(0, str(folder))
        yield import_module("models.notes")


class Untouched:
    """A client that gives its parts, such as a collection, and takes no call."""

    def __getitem__(self, name: str) -> "Untouched":
        return self

    def get_collection(self, *names: object, **options: object) -> "Untouched":
        return self

    def __getattr__(self, name: str) -> "Untouched":
        return self

    def __call__(self, *arguments: object, **options: object) -> None:
        raise AssertionError("something was sent")


@pytest.fixture(scope="module")
def db(notes: ModuleType) -> runtime.Database:
    return runtime.open(notes, **{engine: Untouched() for engine in ENGINES})


HOSTILES = ("acme:x", "acme#x", "acme\n", "ACME")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("tenant", HOSTILES)
def test_no_call_with_a_value_that_its_key_cannot_hold_is_sent(
    db: runtime.Database, notes: ModuleType, engine: str, tenant: str
) -> None:
    own, many = {"tenant": tenant, "id": "5"}, {"tenant": ["acme", tenant], "id": "5"}
    calls = (("get", own), ("set", own | {"cents": 1}), ("add", own), ("delete", own), ("some", many))
    for name, values in calls:
        if hasattr(notes, f"{engine}_{name}"):
            with pytest.raises(InvalidValue):
                getattr(notes, f"{engine}_{name}")(db, **values)
    note = notes.Note.model_construct(tenant=tenant, id="5", cents=0)
    with pytest.raises(InvalidValue):
        getattr(notes, f"{engine}_put")(db, note)
    for created in (runtime.key_of, runtime.to_item):
        with pytest.raises(InvalidValue):
            created(note, getattr(notes, engine))


@pytest.mark.parametrize("tenant", HOSTILES)
def test_no_two_callers_share_a_limit(db: runtime.Database, notes: ModuleType, tenant: str) -> None:
    with pytest.raises(InvalidValue):
        notes.allow(db, tenant=tenant, route="5")
