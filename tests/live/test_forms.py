"""Values in the forms of annotations that applications use: a Get returns what a Put stored, on every engine."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from tests.live.daily import Daily
from tests.live.unfit import PARTS, STACK
from tests.projects import imported_alone, with_imports
from tests.servers import Start

from keywright import runtime
from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.mongodb import driver as mongodb

pytestmark = pytest.mark.live

CLIENTS: dict[str, Any] = {
    "mongodb": mongodb.client, "dynamodb": dynamodb.client, "cassandra": cassandra.client, "redis": Redis.from_url,
}  # fmt: skip


HEAD = """
import collections, dataclasses, enum, ipaddress, typing, uuid
from collections import Counter, defaultdict, deque
from collections.abc import MutableMapping, Sequence
from datetime import UTC, time
from typing import Generic, NamedTuple, NewType, TypeVar

import pydantic
from pydantic import AliasChoices, AliasPath, computed_field, field_serializer, field_validator
from typing_extensions import TypeAliasType

T = TypeVar("T")
place = PLACE

class Colour(enum.Enum):
    RED = "r"
    BLUE = "b"

class Level(enum.IntEnum):
    LOW = 1

class Rights(enum.Flag):
    READ = 1
    WRITE = 2

class Part(BaseModel):
    model_config = pydantic.ConfigDict(frozen=True, alias_generator=pydantic.alias_generators.to_camel)
    part_number: int = Field(3, validation_alias=AliasChoices("no", AliasPath("numbers", 0)))

    @computed_field
    @property
    def double(self) -> int:
        return self.part_number * 2

class MorePart(Part):
    more: int = 1

@dataclasses.dataclass
class Spot:
    x: int
    days: list[date] = dataclasses.field(default_factory=list)

@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    spot: Spot
    at: Colour = Colour.RED

class Point(NamedTuple):
    x: float
    y: float = 2.5

class Page(BaseModel, Generic[T]):
    items: list[T]

Name = NewType("Name", str)
Ids = TypeAliasType("Ids", list[int])
Many = TypeAliasType("Many", list[T] | None, type_params=(T,))
"""

FORMS: dict[str, tuple[str, ...]] = {
    "Colour": ("Colour.RED",), "Level": ("Level.LOW",), "Rights": ("Rights.READ | Rights.WRITE", "Rights(0)"),
    "set[Colour]": ("{Colour.RED, Colour.BLUE}",), "Name": ("Name('n')",), "Ids": ("[1, 2]",),
    "Many[int]": ("[1]", "None"), "Page[Part]": ("Page[Part](items=[Part(no=4)])",), "Part": ("Part(no=1)",),
    "Page[int]": ("Page[int](items=[1])",), "set[Part]": ("{Part(no=1), Part(no=2)}",),
    "Spot": ("Spot(1, [date(2026, 1, 1)])",), "list[Spot]": ("[Spot(1), Spot(2)]",),
    "Fixed": ("Fixed(spot=Spot(1), at=Colour.BLUE)",), "Fixed | None": ("None",),
    "Point": ("Point(1.5)",), "list[Point]": ("[Point(1.5, 2.0)]",), "dict[str, Point]": ("{'a': Point(1.0)}",),
    "int | str": ("1", "'1'", "'a'"), "bool | int": ("True", "1"), "str | list[str]": ("'a'", "['a']"),
    "Literal['a'] | str": ("'a'", "'b'"), "Literal['a', None]": ("'a'", "None"),
    "deque[int]": ("deque([1, 2])",), "defaultdict[str, list[int]]": ("defaultdict(list, a=[1])",),
    "Counter[str]": ("Counter(a=2)",), "MutableMapping[str, int]": ("{'a': 1}",), "Sequence[int]": ("[1]",),
    "tuple[int, ...]": ("(1, 2)",), "frozenset[str]": ("frozenset({'a'})",), "list[set[int]]": ("[{2, 1}]",),
    "pydantic.HttpUrl": ("pydantic.HttpUrl('http://a.org/')",),
    "ipaddress.IPv6Network": ("ipaddress.ip_network('::/64')",),
    "pydantic.PostgresDsn": ("pydantic.PostgresDsn('postgres://u:p@h/d')",), "Path": ("Path('/a')",),
    "pydantic.IPvAnyAddress": ("ipaddress.ip_address('::1')",), "pydantic.ByteSize": ("pydantic.ByteSize(5)",),
    "pydantic.PositiveInt": ("3",), "pydantic.conlist(int, max_length=2)": ("[1]",), "UUID": ("UUID(int=3)",),
    "time": ("time(1, 2, 3)",), "timedelta": ("timedelta(seconds=-3)",),
    "Any": ("None", "[1, 'a', None]", "{'a': 1.5}"),
    "dict[str, Any]": ("{'a': [1, None]}",), "bytes": ("b'\\\\x00a'",), "Decimal": ("Decimal('9.5')",),
}  # fmt: skip
"""Values by annotation, both as Python."""

STORES = {
    "mongodb": ('kw.MongoDatabase("forms")', 'kw.Collection(place, "things", id="{id}")'),
    "dynamodb": ('kw.DynamoTable("forms")', 'kw.Item(place, pk="{id}", sk="THING")'),
    "cassandra": ('kw.Keyspace("forms")', 'kw.CqlTable(place, "things", partition="id")'),
    "redis hash": ('kw.RedisServer("forms", role="primary")', 'kw.RedisHash(place, key="t:{id}", keep_forever="a")'),
    "redis json": ('kw.RedisServer("forms", role="primary")', 'kw.RedisString(place, key="j:{id}", keep_forever="a")'),
}  # fmt: skip


@contextmanager
def opened(engine: str, url: str) -> Iterator[Any]:
    """An application's client."""
    client = CLIENTS[engine](url)
    yield client
    client.cluster.shutdown() if engine == "cassandra" else client.close()


def models(form: str) -> str:
    """A model with a field of each form, optional by its own annotation or by `| None`."""
    place, store = STORES[form]
    fields = "\n".join(f"    f{at}: typing.Optional[{kind}] = None" for at, kind in enumerate(FORMS))
    head = HEAD.replace("PLACE", place).replace(
        "import pydantic\n", "import pydantic\nimport pydantic.alias_generators\n"
    )
    imports = "from pathlib import Path\nfrom uuid import UUID\n"
    thing = f"class Thing(BaseModel):\n    __store__: ClassVar = {store}\n    id: str\n{fields}\n"
    return with_imports(imports + head + thing + "\nthing = kw.Get(Thing, eq='id')\nput_thing = kw.Put(Thing)\n")


@pytest.mark.parametrize("form", STORES)
def test_a_get_returns_what_a_put_stored(
    form: str, tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = form.partition(" ")[0]
    url = start(engine, "forms" if engine == "redis" else "").url
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
    project = Daily(tmp_path / "project", models(form), stack=STACK.replace("{part}", PARTS[engine]))
    applied = project.keywright("apply", "--local")
    assert applied.code == 0, applied
    wrong: list[str] = []
    with opened(engine, url) as client, imported_alone(project.root):
        sys.path.insert(0, str(project.root))
        library = import_module("models.library")
        db = runtime.open(library, environment="dev", **{engine: client})
        for at, (kind, values) in enumerate(FORMS.items()):
            for value in values:
                instance = eval(f"Thing(id='a', f{at}={value})", vars(library))
                library.put_thing(db, instance)
                stored = library.thing(db, id="a")
                if stored != instance or type(getattr(stored, f"f{at}")) is not type(getattr(instance, f"f{at}")):
                    wrong.append(f"{kind}: {value} was read as {getattr(stored, f'f{at}')!r}")
        with pytest.raises(runtime.InvalidValue, match="an instance of Part is expected, without more"):
            library.put_thing(db, library.Thing(id="a", f8=library.MorePart(no=1)))
    assert wrong == []
