"""Generated model files: an entity in every shape of one engine's keys and indexes, and many patterns on it."""

import re
from collections.abc import Iterable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

HEAD = '''"""Generated."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw

Owner = Annotated[str, Field(pattern=r"^[a-z]{3}$"), kw.Cardinality(distinct=5)]
Id = Annotated[str, Field(pattern=r"^[a-z0-9]{8}$")]
State = Literal["new", "paid", "gone"]
Size = Annotated[int, Field(ge=0, le=40)]
'''

FIELDS = """
    id: Id
    owner: Owner
    state: State
    size: Size
    at: datetime
    note: Annotated[str, Field(max_length=20)] | None = None
"""

TIMED = """    moment: UUID
    ratio: float
"""
"""Fields that Cassandra stores as a `timeuuid`, which is ordered by its time, and as a number of 32 bits."""

TAGS = "    tags: Annotated[list[State], Field(max_length=3)] = []\n"


TIMES = (
    ("datetime", "iso", ""),
    ('Annotated[datetime, kw.Precision("milliseconds")]', "iso", ""),
    ('Annotated[datetime, kw.Precision("seconds")]', "iso", ""),
    ('Annotated[datetime, kw.Precision("milliseconds")]', "pad(13)", ', types={"at": "N"}'),
    ('Annotated[datetime, kw.Precision("seconds")]', "pad(10)", ', types={"at": "N"}'),
)
"""(type, filter in keys, option of DynamoDB) of times."""


def one_of(*texts: str) -> st.SearchStrategy[str]:
    return st.sampled_from(texts)


@st.composite
def dynamodb(draw: DrawFn) -> str:
    pk, sk = draw(
        st.sampled_from(
            [
                ("O#{owner}", "AT#{at:iso}#{id}"),
                ("O#{owner}", "Z#{size:pad(4)}#{id}"),
                ("O#{owner}", "ST#{state}#{at:iso}#{id}"),
                ("O#{owner}", "T#{id}"),
                ("S#{state}#{id:shard(3)}", "{at:iso}#{id}"),
                ("T#{id}", "T"),
                ("M#{owner}#{at:month}", "{at:iso}#{id}"),
            ]
        )
    )
    projections = one_of('"all"', '"keys"', '["state", "owner"]')
    plain_sk = draw(one_of("None", '"size"', '["state", "size"]', '"at"'))
    plain_pk = draw(one_of('"owner"', '["owner", "state"]'))
    plain = f'plain = kw.Gsi("plain", pk={plain_pk}, sk={plain_sk}, project={draw(projections)})'
    plain = plain.replace('pk=["owner", "state"], sk=["state", "size"]', 'pk=["owner", "state"], sk="size"')
    shared = f'shared = kw.Gsi("shared", pk="gpk", sk="gsk", project={draw(projections)})'
    where = draw(one_of("", ', where={"state": kw.OneOf(["new", "paid"])}', ', where={"size": kw.AtLeast(10)}',
                        ', where={"size": kw.Above(9)}', ', where={"size": kw.AtMost(30)}'))  # fmt: skip
    key = draw(
        one_of(
            f'shared.key(pk="G#{{state}}", sk="{{at:iso}}#{{id}}"{where})',
            f'shared.key(pk="G#{{state}}#{{id:shard(2)}}", sk="{{size:pad(4)}}#{{id}}"{where})',
            f'shared.key(pk="I#{{id}}", sk="I"{where})',
            f'shared.key(pk="N#{{note}}", sk="{{at:iso}}"{where})',
        )
    )
    time, form, types = draw(st.sampled_from(TIMES))
    fields = FIELDS.replace("datetime", time)
    sk, key = sk.replace("at:iso", f"at:{form}"), key.replace("at:iso", f"at:{form}")
    return f"""{HEAD}
{plain}
{shared}
table = kw.DynamoTable("things", gsis=[plain, shared])


class Thing(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="{pk}", sk="{sk}", gsis=[{key}]{types})
{fields}

class Stranger(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="O#{{owner}}", sk="STRANGER#{{id}}"{types})
{fields}
"""


@st.composite
def mongodb(draw: DrawFn) -> str:
    keys = ("owner", "state", "size", "-at", "at", "id", "tags", "note")
    lists = st.lists(st.sampled_from(keys), min_size=1, max_size=3, unique_by=lambda key: key.removeprefix("-"))
    wheres = one_of("", "", ', where={"state": "new"}', ', where={"state": kw.OneOf(["new", "paid"])}',
                    ', where={"size": kw.AtLeast(10)}', ', where={"note": kw.Present()}', ", sparse=True",
                    ', where={"size": kw.Above(9)}', ', where={"size": kw.AllOf([kw.AtLeast(5), kw.AtMost(30)])}',
                    ', where={"note": kw.OfType("string")}', ', where={"size": kw.OfType(["int", "long"])}',
                    ', any_of=[{"state": "new"}, {"size": kw.AtMost(20)}]',
                    ', where={"state": kw.OneOf(["new", "paid", "gone"])}')  # fmt: skip
    count = draw(st.integers(2, 4))
    indexes: dict[str, str] = {}
    for _ in range(count):
        index = draw(lists)
        if index == ["id"]:
            continue  # that index always exists, and contains every document
        indexes.setdefault(str(index), f"kw.Index({index!r}{draw(wheres)})")
    id = draw(one_of("{id}", "{owner}#{id}", "{id}"))
    options = ", ".join(indexes.values()) + draw(one_of("]", "]", "], clustered=True"))
    return f"""{HEAD}
database = kw.MongoDatabase("things")


class Thing(BaseModel):
    __store__: ClassVar = kw.Collection(database, "things", id="{id}", indexes=[{options})
{FIELDS}{TAGS}
"""


@st.composite
def cassandra(draw: DrawFn) -> str:
    partition, computed = draw(
        st.sampled_from(
            [
                ('"owner"', "{}"),
                ('["owner", "state"]', "{}"),
                ('["owner", "month"]', '{"month": "{at:month}"}'),
                ('["state", "shard"]', '{"shard": "{id:shard(3)}"}'),
                ('"id"', "{}"),
                ('["owner", "day"]', '{"day": "{at:date}"}'),
            ]
        )
    )
    clustering = (
        "[]"
        if partition == '"id"'
        else draw(
            one_of(
                '["-at", "id"]',
                '["at", "id"]',
                '["size", "id"]',
                '["id"]',
                '["-size", "at", "id"]',
                '["-moment", "id"]',
                '["moment", "size", "id"]',
            )
        )
    )
    index = draw(one_of("", "", 'kw.CqlIndex("size")', 'kw.CqlIndex("note")'))
    index = "" if "size" in index and "size" in clustering else index
    return f"""{HEAD}
keyspace = kw.Keyspace("things")


class Thing(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        keyspace, "things", partition={partition}, clustering={clustering}, computed={computed}, indexes=[{index}],
        types={{"moment": "timeuuid", "ratio": "float"}},
    )
{FIELDS}{TIMED}
"""


@st.composite
def redis(draw: DrawFn) -> str:
    store = draw(
        one_of(
            'kw.RedisHash(server, key="t:{id}")',
            'kw.RedisHash(server, key="t:{owner}:{id}", ttl=timedelta(days=90))',
            'kw.RedisString(server, key="t:{owner:tag}:{id}")',
        )
    )
    ranked = draw(one_of("size", "at"))
    key = draw(one_of("r:{owner}", "r:{owner:tag}:{state}"))
    time, _, _ = draw(st.sampled_from(TIMES))
    fields = ["owner: Owner", "id: Id", f"{ranked}: {'Size' if ranked == 'size' else time}"]
    fields += ["state: State"] if "state" in key else []
    body = "\n".join(f"    {field}" for field in fields)
    return f"""{HEAD}
server = kw.RedisServer("things", role="primary")


class Thing(BaseModel):
    __store__: ClassVar = {store}
{FIELDS.replace("datetime", time)}

class Ranked(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(server, key="{key}", member="{{id}}", score="{ranked}")

{body}
"""


STORES: dict[str, st.SearchStrategy[str]] = {
    "dynamodb": dynamodb(), "mongodb": mongodb(), "cassandra": cassandra(), "redis": redis(),
}  # fmt: skip
"""Model files without patterns, by engine."""


_SET = ("note", "size", "state", "ratio")
"""Fields that updates set."""

_WHERES = (
    '{"state": "new"}',
    '{"state": kw.OneOf(["new", "paid"])}',
    '{"size": kw.AtLeast(10)}',
    '{"size": kw.Above(10)}',
    '{"size": kw.AtMost(20)}',
    '{"size": kw.Below(30)}',
    '{"note": kw.Present()}',
)


def keys_of(source: str) -> list[tuple[str, ...]]:
    """Fields of the keys and indexes of a model file, in order."""
    in_templates = [_in_templates(pk + sk) for pk, sk in re.findall(r'pk="([^"]*\{[^"]*)", sk="([^"]*)"', source)]
    in_templates += [
        _named(pk + sk) for pk, sk in re.findall(r'"plain", pk=(\[.*?\]|"\w+"), sk=(\[.*?\]|"\w+"|None)', source)
    ]
    in_templates += [_named(names) for names in re.findall(r"kw\.Index\((\[.*?\])", source)]
    in_templates += [_named(part + rest) for part, rest in re.findall(r"partition=(.*?), clustering=(\[.*?\])", source)]
    in_templates += [_in_templates(key) for key in re.findall(r'key="([^"]*)"', source)]
    return [fields for fields in in_templates if fields]


def _in_templates(text: str) -> tuple[str, ...]:
    names = (name for name, form in re.findall(r"\{(\w+)(:\w+)?", text) if form not in (":shard", ":month", ":date"))
    return _key_fields(names)


def _named(text: str) -> tuple[str, ...]:
    return _key_fields(re.findall(r"[a-z]+", text))


def _key_fields(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name in ("owner", "state", "size", "at", "id", "moment")))


_EXCLUDED = tuple(f', excludes="{ends}"' for ends in ("first", "last", "both"))
"""Options of a range that excludes ends."""


@st.composite
def fitting(draw: DrawFn, keys: tuple[str, ...], model: str) -> str:
    """A pattern that reads by the fields of one key: equality first, then an order or a range."""
    fixed = draw(st.integers(0, len(keys)))
    options = [f"eq={list(keys[:fixed])!r}"] if fixed else []
    open_fields = keys[fixed:]
    if open_fields and draw(st.booleans()):
        sign = draw(one_of("", "-"))
        options.append(f"order={[sign + name for name in open_fields]!r}")
    if open_fields and open_fields[0] in ("at", "size", "id", "moment") and draw(st.booleans()):
        options.append(f"range={open_fields[0]!r}{draw(one_of('', *_EXCLUDED))}")
        options += ["span=timedelta(days=20)"] if open_fields[0] == "at" else []
    where = draw(one_of("", "", *_WHERES))
    options += [f"where={where}"] if where and not any(f'"{name}"' in where for name in keys) else []
    return f"kw.Read({model}, {', '.join([*options, 'limit=10', 'fan_out=12'])})"


@st.composite
def pattern(draw: DrawFn, engine: str, fields: tuple[str, ...], model: str) -> str:
    """The declaration of one pattern on a model with these fields."""
    kind = draw(one_of("Read", "Read", "Read", "Read", "Get", "Count", "Update", "Increment", "Put", "Delete"))
    scalars = [name for name in ("owner", "state", "size", "id", "at", "moment") if name in fields]
    eq = draw(st.lists(st.sampled_from(scalars), max_size=3, unique=True))
    where = draw(one_of("", "", "", *_WHERES))
    where = where if all(name in fields for name in ("state", "size", "note") if f'"{name}"' in where) else ""
    open_fields = [scalar for scalar in scalars if scalar not in eq and f'"{scalar}"' not in where]
    options = [f"eq={eq!r}"] if eq else []
    options += [f"where={where}"] if where else []
    if kind == "Put":
        return f"kw.Put({model}{draw(one_of('', ', if_absent=True'))})"
    if kind in ("Update", "Increment", "Delete"):
        key = draw(st.booleans())
        chosen = [] if key else options
        if kind == "Update":
            sets = draw(st.sampled_from([name for name in _SET if name in fields and name not in eq] or ["id"]))
            return f"kw.Update({model}, sets={sets!r}{''.join(f', {option}' for option in chosen)})"
        if kind == "Increment" and "size" in fields:
            return f'kw.Increment({model}, "size", by=0{"".join(f", {option}" for option in chosen)})'
        return f"kw.Delete({model}{''.join(f', {option}' for option in chosen)})"
    if kind == "Get":
        return f"kw.Get({model}{''.join(f', {option}' for option in options)})"
    if (
        open_fields
        and draw(one_of("no", "no", "one_of")) == "one_of"
        and (simple := [name for name in open_fields if name in ("owner", "state", "id")])
    ):
        name = draw(st.sampled_from(simple))
        options.append(f"one_of={name!r}")
        open_fields.remove(name)
    ranged = [name for name in open_fields if name in ("size", "at", "id", "moment")]
    if ranged and draw(one_of("no", "yes")) == "yes":
        name = draw(st.sampled_from(ranged))
        options.append(f"range={name!r}{draw(one_of('', *_EXCLUDED))}")
        options += ["span=timedelta(days=20)"] if name == "at" and draw(one_of("yes", "no")) == "yes" else []
    if kind == "Read":
        orders = ["", '"at"', '"-at"', '"size"', '"-size"', '"id"', '["-at", "-id"]', '["size", "id"]']
        order = draw(one_of(*orders, *(['"moment"', '"-moment"', '["-moment", "id"]'] if "moment" in fields else ())))
        if order and all(name in fields for name in ("at", "size", "id") if name in order):
            options.append(f"order={order}")
        options.append(f"limit={draw(one_of('3', '10', '50', 'None'))}")
        options.append(f"fan_out={draw(one_of('1', '3', '12'))}")
        if draw(one_of("no", "no", "no", "yes")) == "yes" and "state" in fields:
            options.append('fields=["owner", "state"]')
        options += draw(st.sampled_from([[], [], ['consistency="strong"']]))
    return f"kw.{kind}({model}{''.join(f', {option}' for option in options)})"


@st.composite
def model_file(draw: DrawFn, engine: str, patterns: int) -> str:
    """A model file with one or two entities and so many patterns."""
    source = draw(STORES[engine])
    ranked = tuple(
        part.split(":")[0].strip() for part in source.partition("class Ranked")[2].splitlines() if ": " in part
    )
    fields_of_thing = ("id", "owner", "state", "size", "at", "note")
    fields_of_thing += ("moment", "ratio") if engine == "cassandra" else ()
    lines = []
    for number in range(patterns):
        is_ranked = bool(ranked) and number % 2 == 1
        keys = keys_of(source.partition("class Ranked")[0])
        if not is_ranked and keys and draw(st.sampled_from([True, True, False])):
            declaration = draw(fitting(draw(st.sampled_from(keys)), "Thing"))
        else:
            declaration = draw(
                pattern(engine, ranked if is_ranked else fields_of_thing, "Ranked" if is_ranked else "Thing")
            )
        lines.append(f"p{number} = {declaration}")
    return source + "\n" + "\n".join(lines) + "\n"
