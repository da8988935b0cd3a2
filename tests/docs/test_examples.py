"""The hand-written pages: their models compile, and their tables are what the code says."""

import ast
import doctest
import inspect
import itertools
import re
import textwrap
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel
from tests.projects import errors_of, told, with_imports

import keywright as kw
from keywright import runtime
from keywright.engines.capability import is_older
from keywright.engines.cassandra.schema import typemap as cassandra
from keywright.engines.dynamodb.schema import typemap as dynamodb
from keywright.engines.environment import ByteSize, Percent, Threshold
from keywright.engines.interface import Driver, Engine
from keywright.engines.mongodb.schema import typemap as mongodb
from keywright.engines.mongodb.schema.capabilities import FEATURES
from keywright.engines.redis.schema import typemap as redis
from keywright.engines.redis.schema.lower import DURABLE, EVICTION
from keywright.engines.registry import ENGINES
from keywright.ir.attribute import SCALAR_KINDS, Attribute, Many, Map, Scalar, Struct, Tuple, Type
from keywright.ir.template import FILTERS, parse
from keywright.record import NODEFAULT, FieldInfo, Record, fields, is_record

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("tutorial.md", "modelling.md", "stored.md")
IsGolden = Callable[[Path, str], bool]

_MODEL = re.compile(r"^```python model\n(.*?)^```", re.DOTALL | re.MULTILINE)
_SESSION = re.compile(r"^```pycon\n(.*?)^```", re.DOTALL | re.MULTILINE)
_MISTAKE = re.compile(r"^```diff\n(-.*\n\+.*\n)```\n\n```\n\$ keywright check\n((?:.+\n)+)", re.MULTILINE)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

LOGICAL: dict[str, Type] = {
    "`str`, `Literal` or `Enum` of texts, URLs, addresses, paths": Scalar("string"),
    "`int`": Scalar("integer"),
    "`int` bounded to 32 bits": Scalar("integer", minimum=0, maximum=1_000),
    "`float`": Scalar("float"),
    "`Decimal`": Scalar("decimal"),
    "`bool`": Scalar("boolean"),
    "`bytes`": Scalar("bytes"),
    "`datetime`": Scalar("datetime"),
    "`date`": Scalar("date"),
    "`time`": Scalar("time"),
    "`timedelta`": Scalar("duration"),
    "`UUID`": Scalar("uuid"),
    "`Any`, `JsonValue`, `dict[str, Any]`": Scalar("json"),
    "`list[str]`, `tuple[str, ...]`": Many("list", Scalar("string")),
    "`list[float]` with `kw.Vector(3)`": Many("list", Scalar("float"), 3, 3, is_vector=True),
    "`tuple[int, str]`": Tuple((Scalar("integer"), Scalar("string"))),
    "`set[str]`": Many("set", Scalar("string")),
    "`set[int]`": Many("set", Scalar("integer")),
    "`dict[str, int]`": Map(Scalar("integer")),
    "`dict[int, str]`": Map(Scalar("string"), key=Scalar("integer")),
    "an embedded model `OrderLine`": Struct("OrderLine", (Attribute("sku", "sku", "sku", Scalar("string")),)),
}
"""What a field may be, in the words of the page."""


FILTERED = {
    "{at:iso}": "UTC, microseconds, 27 characters",
    "{at:date}": "the day in UTC",
    "{at:month}": "the month in UTC",
    "{at:week}": "the ISO week in UTC",
    "{at:hour}": "the hour in UTC",
    "{at:strftime(%Y%m%d)}": "the day, the month, the hour, the second or the whole time in UTC, in a format",
    "{number:pad(8)}": "leading zeros",
    "{text:upper}": "upper case",
    "{text:lower}": "lower case",
    "{text:tag}": "braces, so that a Redis cluster places keys by this part alone",
    "{text:shard(100)}": "CRC-32 of the UTF-8 text modulo the number, from 0, with leading zeros",
    "{:shard(100)}": "drawn at random for each item",
}
"""Templates with every filter, and what they write, in the words of the page."""


class _Filtered(BaseModel):
    """A value for each filter."""

    at: datetime = datetime(2026, 11, 21, 17, 7, 30, 250_000, tzinfo=timezone(timedelta(hours=1)))
    number: int = 421
    text: str = "Ada"


WORDS = {
    "append-only-file": "a log file",
    "config": "`CONFIG`: it takes parameters",
    "index": "secondary indexes",
    "json": "JSON documents",
    "lrm": "eviction by `lrm`",
    "mask": "masked columns",
    "maxmemory": "`maxmemory`",
    "modules": "directives of modules",
    "sai": "storage-attached indexes",
    "search": "indexes of Search",
    "snapshots": "snapshot files",
    "vector": "vectors",
    "view": "materialized views",
}
"""Features whose names say too little."""


def _models() -> Iterator[Any]:
    """Every block that is marked as a model file, named by its page, its heading and its place there."""
    for name in PAGES:
        text = (DOCS / name).read_text(encoding="utf-8")
        for at, block in enumerate(_MODEL.finditer(text), 1):
            heading = _HEADING.findall(text[: block.start()])[-1]
            yield pytest.param(block[1], id=f"{name} {at} {heading}")


def _sessions() -> Iterator[Any]:
    """Every interactive session, behind the model file above it."""
    for name in PAGES:
        text = (DOCS / name).read_text(encoding="utf-8")
        for at, block in enumerate(_SESSION.finditer(text), 1):
            model = _MODEL.findall(text[: block.start()])[-1]
            yield pytest.param(model, block[1], id=f"{name} {at}")


@pytest.mark.parametrize("source", list(_models()))
def test_a_model_of_the_pages_compiles(source: str, tmp_path: Path) -> None:
    full = source if "\nimport keywright" in f"\n{source}" else with_imports(source)
    assert [str(error) for error in errors_of(tmp_path, full)] == []


@pytest.mark.parametrize(("model", "session"), list(_sessions()))
def test_a_session_of_the_pages_prints_what_it_shows(model: str, session: str) -> None:
    names: dict[str, object] = {"__name__": "models.session"}
    exec(with_imports(model), names)
    test = doctest.DocTestParser().get_doctest(session, names, "session", None, 0)
    said: list[str] = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert "".join(said) == ""


@pytest.mark.parametrize(("line", "shown"), _MISTAKE.findall((DOCS / "tutorial.md").read_text(encoding="utf-8")))
def test_a_mistake_of_the_tutorial_is_told_as_it_shows(line: str, shown: str, tmp_path: Path) -> None:
    template = files("keywright.template").joinpath("models/library.py").read_text(encoding="utf-8")
    before, after = (text[1:] for text in line.strip().splitlines())
    assert before in template
    errors = errors_of(tmp_path, {"models/library.py": template.replace(before, after)})
    assert told(errors, tmp_path).strip() == shown.strip()


def test_the_tutorial_quotes_the_template() -> None:
    quoted = re.findall(
        r"^```python\n(class .*?)```", (DOCS / "tutorial.md").read_text(encoding="utf-8"), re.DOTALL | re.M
    )
    template = files("keywright.template").joinpath("models/library.py").read_text(encoding="utf-8")
    assert [block for block in quoted if block not in template] == []
    assert quoted


def test_the_table_of_native_types_is_what_the_typemaps_say(is_golden: IsGolden) -> None:
    page = DOCS / "stored.md"
    assert is_golden(page, _documented(page, "types", _native_types()))


def test_the_table_of_other_types_is_what_the_typemaps_say(is_golden: IsGolden) -> None:
    page = DOCS / "stored.md"
    assert is_golden(page, _documented(page, "other types", _other_types()))


def test_every_kind_of_value_stands_in_the_tables() -> None:
    assert {entry.kind for entry in LOGICAL.values() if isinstance(entry, Scalar)} == set(SCALAR_KINDS)


def test_the_table_of_filters_is_what_the_runtime_writes(is_golden: IsGolden) -> None:
    page = DOCS / "modelling.md"
    assert is_golden(page, _documented(page, "filters", _filters()))


def test_the_table_of_roles_is_what_servers_get(is_golden: IsGolden) -> None:
    page = DOCS / "modelling.md"
    assert is_golden(page, _documented(page, "roles", _roles()))


def test_every_filter_stands_in_the_table() -> None:
    assert {
        "strftime" if filter.format else filter.name
        for text in FILTERED
        for placeholder in parse(text).placeholders
        for filter in placeholder.filters
    } == set(FILTERS)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_the_settings_of_an_engine_are_what_its_environment_declares(engine: Any, is_golden: IsGolden) -> None:
    page = DOCS / "environments.md"
    assert is_golden(page, _documented(page, f"settings of {engine.name}", _settings(engine.environment)))


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_the_flavours_of_an_engine_are_what_its_capabilities_say(engine: Any, is_golden: IsGolden) -> None:
    page = DOCS / "environments.md"
    assert is_golden(page, _documented(page, f"flavours of {engine.name}", _flavours(engine.name)))


@pytest.mark.parametrize("record", [Engine, Driver], ids=lambda record: record.__name__)
def test_the_contract_tells_of_every_function(record: Any) -> None:
    told_of = set(re.findall(r"^\| `(\w+)", (DOCS / "engines.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert {field.name for field in fields(record)} <= told_of


def _documented(page: Path, name: str, text: str) -> str:
    """The page with a text between its two marks."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- end of {name} -->\n")
    assert begin
    assert end
    return f"{before}{begin}\n{text}\n\n{end}{after}"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    named = tuple(head)
    return "\n".join(f"| {' | '.join(row)} |".replace("  |", " |") for row in (named, ("---",) * len(named), *rows))


def _native_types() -> str:
    rows = ((words, *(f"`{native}`" for native in _stored(type))) for words, type in LOGICAL.items())
    return _table(("field", "DynamoDB", "MongoDB", "Cassandra", "Redis, by itself", "Redis, in JSON"), rows)


def _stored(type: Type) -> Iterator[str]:
    yield dynamodb.native_type(type).replace("JSON", "any")
    yield " or ".join(mongodb.bson_types(type) if isinstance(type, Scalar) else ()) or mongodb.native_type(type)
    yield cassandra.native_type(type, is_frozen=isinstance(type, Struct))
    yield redis.native_type(type)
    yield redis.native_type(type, is_json=True)


def _other_types() -> str:
    """What `types=` takes beside the usual, of fields that it says something about."""
    maps = (dynamodb, mongodb, cassandra)
    others = {words: [_code(engine.allowed_types(type)[1:]) for engine in maps] for words, type in LOGICAL.items()}
    rows = ((words, *each) for words, each in others.items() if any(each) and not words.startswith("`list"))
    return _table(("field", "DynamoDB", "MongoDB", "Cassandra"), rows)


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _roles() -> str:
    kept = {True: "a log and snapshots", False: "nothing"}
    rows = ((f"`{role}`", f"`{policy}`", kept[role in DURABLE]) for role, policy in EVICTION.items())
    return _table(("role", "evicts by", "persists"), rows)


def _filters() -> str:
    rows = ((f"`{text}`", f"`{_written(text)}`", words) for text, words in FILTERED.items())
    values = _Filtered()
    head = f"template, with `at={values.at.isoformat()}`, `number={values.number}`, `text={values.text}`"
    return _table((head, "writes", "that is"), rows)


def _written(text: str) -> str:
    """What the runtime makes of a template; of a random shard, its last one."""
    if text.startswith("{:"):
        return "00` to `99"
    table = kw.DynamoTable("table", sk=None)
    return str(runtime.key_of(_Filtered(), kw.bind(_Filtered, kw.Item(table, pk=text)))["pk"]["S"])


def _settings(environment: type) -> str:
    kinds, said = typing.get_type_hints(environment), _said(environment)
    rows = (
        (f"`{field.name.replace('_', '-')}`", _takes(kinds[field.name]), _default(field), said[field.name])
        for field in fields(environment)
    )
    return _table(("setting", "takes", "default", "meaning"), rows)


def _said(cls: type) -> dict[str, str]:
    """The sentence below each field of a record class and its bases."""
    said: dict[str, str] = {}
    for base in reversed(cls.__mro__[: cls.__mro__.index(Record)]):
        body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, text in itertools.pairwise(body.body):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                assert isinstance(text, ast.Expr)
                said[field.target.id] = " ".join(str(ast.literal_eval(text.value)).split())
    return said


def _takes(kind: Any) -> str:
    """A type in the words of a stack file."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return _code(args)
    if origin in (typing.Union, types.UnionType):
        return _takes(next(arm for arm in args if arm is not type(None)))
    if origin is Mapping:
        return f"name: {_takes(args[1])}"
    if origin is tuple:
        return f"list of {_takes(args[0])}"
    if is_record(kind):
        return f"mapping of {_code(field.name.replace('_', '-') for field in fields(kind))}"
    words = {
        ByteSize: "bytes, or `4gb`", Percent: "1 to 99", Threshold: "number, 0 or more", bool: "`true`, `false`",
        int: "whole number", str: "text",
    }  # fmt: skip
    return words[kind]


def _default(field: FieldInfo) -> str:
    if field.default is NODEFAULT:
        return "needed" if field.default_factory is NODEFAULT else ""
    if is_record(field.default):
        return ""
    shown = str(field.default).lower() if isinstance(field.default, bool) else str(field.default)
    return f"`{shown}`" if shown and field.default not in (None, ()) else ""


def _flavours(engine: str) -> str:
    """Every flavour; those that lack something, once for each page that says so."""
    rows: list[tuple[str, ...]] = []
    for flavour in import_module(f"keywright.engines.{engine}.schema.capabilities").FLAVOURS.values():
        begins = f"`{flavour.name}`, {flavour.title}", ", ".join(flavour.versions) or "has none"
        lacking: dict[Any, list[str]] = {}
        for feature, support in flavour.features.items():
            if not support.has_it or is_older((flavour.versions or (None,))[0], support.since or ""):
                lacking.setdefault((support.source, support.since), []).append(_feature(feature))
        if not lacking:
            rows.append((*begins, "", ""))
        for (source, since), names in lacking.items():
            lacks = ", ".join(sorted(names)) + (f" before {since}" if since else "")
            rows.append((*begins, lacks, f"[{source.url.split('/')[2]}]({source.url}), {source.as_of}"))
            begins = "", ""
    return _table(("flavour", "known versions", "lacks", "source"), rows)


def _feature(feature: str) -> str:
    """A feature in words, or the name of an option as it is written."""
    words = WORDS.get(feature) or FEATURES.get(feature, "").partition(":")[0]
    return words or f"`{feature.removeprefix('option ').replace('_writes', '-writes')}`"
