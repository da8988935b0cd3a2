"""Memory of declared entities: each in the encoding that its types and its server give it."""

from typing import Annotated, ClassVar

import pytest
from pydantic import BaseModel, Field
from tests.engines.redis.planning import ONE_NODE, Plans

import keywright as kw
from keywright.engines.redis.access.layout import layout_of
from keywright.engines.redis.access.memory import memory
from keywright.engines.redis.access.size import (
    bucket_share,
    fields_memory,
    intset_memory,
    key_memory,
    list_memory,
    listpack_entry,
    listpack_text,
    set_memory,
    stream_memory,
)
from keywright.engines.redis.declare.settings import RedisEnvironment

server = kw.RedisServer("measured", role="primary")

Word = Annotated[str, Field(min_length=8, max_length=8)]
Number = Annotated[int, Field(ge=0, le=1_000)]


class Chosen(BaseModel):
    __store__: ClassVar = kw.RedisSet(server, key="chosen", member="{number}", expected=300)
    number: Number


class Many(BaseModel):
    __store__: ClassVar = kw.RedisSet(server, key="many", member="{number}", expected=600)
    number: Number


class Tagged(BaseModel):
    __store__: ClassVar = kw.RedisSet(server, key="tagged", member="{word}", expected=100)
    word: Word


class Counted(BaseModel):
    __store__: ClassVar = kw.RedisHash(server, key="counted:{word}", expected=1)
    word: Word
    hits: Number
    misses: Number


class Queued(BaseModel):
    __store__: ClassVar = kw.RedisList(server, key="queued", max_length=100)
    word: Word


class Sent(BaseModel):
    __store__: ClassVar = kw.RedisStream(server, key="sent", keep=300)
    word: Word
    number: Number


OLD, VALKEY = RedisEnvironment(flavour="redis", version="7.0"), RedisEnvironment(flavour="valkey", version="9.1")
COUNTS = (("hits", 4, listpack_entry(1_000)), ("misses", 4, listpack_entry(1_000)))
JSON = len('{"word": ""}') + 8
SENT = [(4, 8, listpack_text(8)), (6, 3, listpack_entry(1_000))]


def value(name: str, environment: RedisEnvironment) -> float | None:
    """Bytes of the value of the entity's only key."""
    plans = Plans(__file__, globals(), environment)
    binding = next(binding for binding in plans.design.bindings if binding.name == name)
    layout = layout_of(plans.target(name), binding)
    assert layout is not None
    is_embedded = environment is VALKEY
    result = memory(layout, binding)
    length = {"Counted": len("counted:") + 8}.get(name, len(name))
    key = key_memory(length, is_embedded=is_embedded) + bucket_share(1, is_embedded=is_embedded)
    return None if result is None else result - key


@pytest.mark.parametrize(
    ("name", "environment", "bytes"),
    [
        ("Chosen", ONE_NODE, intset_memory(300, 2)),
        ("Many", VALKEY, set_memory(600, 3, is_embedded=True)),
        ("Many", ONE_NODE, set_memory(600, 3)),
        ("Tagged", ONE_NODE, set_memory(100, 8, has_listpack=True)),
        ("Tagged", VALKEY, set_memory(100, 8, has_listpack=True)),
        ("Tagged", OLD, set_memory(100, 8)),
        ("Counted", ONE_NODE, fields_memory([(len(name), length, packed) for name, length, packed in COUNTS])),
        ("Queued", ONE_NODE, list_memory(100, JSON, has_listpack=True)),
        ("Queued", OLD, list_memory(100, JSON)),
        ("Sent", ONE_NODE, stream_memory(300, SENT)),
    ],
)
def test_an_entity_takes_what_its_encoding_takes(name: str, environment: RedisEnvironment, bytes: float) -> None:
    assert value(name, environment) == pytest.approx(bytes, abs=1)
