"""Files with commands that write keys of Redis, as samples of its keys."""

import shlex
from collections.abc import Callable
from typing import Any

import pytest
import redis

from keywright.api.adopt.sources import from_address, from_files
from keywright.edit.create.model_file import ModelFile, source_of
from keywright.engines.contract.adoption import Adopted
from keywright.engines.redis.adopt.key_file import LINES, LONGEST_LINE, is_keys, sample_of
from keywright.engines.redis.declare.settings import RedisEnvironment
from keywright.errors import UsageError
from keywright.local import Running
from keywright.project.environments.environment import Environment

ENVIRONMENT = Environment("dev", engines={"redis": RedisEnvironment(flavour="redis", version="7.2")})

COMMANDS = """\
# some keys of every family
HSET user:17 name "Ann Lee" email ann@example.com joined 2026-01-01T10:00:00Z
HSET user:18 name Bob email bob@example.com joined 2026-02-01T10:00:00Z
HMSET user:19 name Cy email cy@example.com joined 2026-02-01T10:00:00Z
EXPIRE user:17 3600
EXPIRE user:18 3600
EXPIRE user:19 3600
INCR hits:1
INCRBY hits:2 5
INCR hits:3
ZADD board:chess NX 5 ann 7 bob
ZADD board:go 5 ann 7 bob
ZADD board:dame 5 ann
SADD online:eu 5 7 8
SADD online:us 5 7 8
SADD online:as 5 7 8
SET session:a1b2c3d4 '{"user_id": 5, "city": "x"}' EX 1800
SETEX session:a1b2c3d5 1800 '{"user_id": 6, "city": "x"}'
SET session:a1b2c3d6 '{"user_id": 7, "city": "x"}' PX 1800000
XADD orders MAXLEN ~ 1000 * status paid user_id 5
XADD orders * status paid user_id 5
XADD orders 5000000000000-1 status new user_id 5
PING
"""


def source(adopted: Adopted) -> str:
    return source_of(ModelFile("Redis.", adopted.design, {}))


def of_files(**files: str) -> Adopted:
    (target,) = from_files({name.replace("_", "."): text for name, text in files.items()}, ENVIRONMENT).targets
    return target.adopted


def test_commands_give_the_families_of_their_keys() -> None:
    text = source(of_files(keys_redis=COMMANDS))
    assert 'redis, key="user:{user_id}", ttl=timedelta(hours=1)' in text
    assert "email: Annotated[str, kw.Pii()]" in text
    assert 'redis, key="session:{session_id}", ttl=timedelta(minutes=30)' in text
    assert "user_by_id = kw.Get(User" in text
    assert "Ann Lee" not in text
    assert "ann@example.com" not in text


def test_keys_belong_to_the_server_of_a_configuration_file() -> None:
    adopted = of_files(shop_conf="maxmemory-policy allkeys-lru\nappendonly no\n", keys_redis=COMMANDS)
    text = source(adopted)
    assert 'shop = kw.RedisServer("shop", role="cache"' in text
    assert "class User(BaseModel):" in text


def test_keys_beside_two_servers_belong_to_the_first_one() -> None:
    files = {"a.conf": "appendonly no\n", "b.conf": "appendonly yes\n", "keys.redis": COMMANDS}
    schema = from_files(files, ENVIRONMENT)
    assert [len(target.adopted.design.entities) > 0 for target in schema.targets] == [True, False]
    assert [(part.object, part.reason) for part in schema.not_expressed] == [
        ("keys.redis", 'its keys are read as those of "a"')
    ]


def test_the_output_of_monitor_is_read_like_commands() -> None:
    lines = [shlex.split(line) for line in COMMANDS.splitlines() if not line.startswith("#")]
    quoted = (" ".join(f'"{word}"'.replace('{"', '{\\"') for word in words) for words in lines if "{" not in str(words))
    monitored = "".join(f"1339518083.107412 [0 127.0.0.1:60866] {line}\n" for line in quoted)
    assert "class User(BaseModel):" in source(of_files(monitor_log=f"OK\n{monitored}"))


@pytest.mark.parametrize(
    "text", ["{}", "PING\nGET a\n", "set up the server\nthen start it\nand wait\n", "CREATE TABLE a (id int);"]
)
def test_other_files_are_no_commands(text: str) -> None:
    assert not is_keys(text)
    with pytest.raises(UsageError):
        from_files({"a.redis": text}, ENVIRONMENT)


def test_wrong_and_endless_commands_are_passed_over() -> None:
    wrong = (
        "ZADD b x y\nZADD b 1\nXADD s\nXADD s MAXLEN\nEXPIRE a b\nMSET a\nSETEX a b\nSET\nSET a\n'\nINCR a\nINCR a\n"
    )
    long = f"SET long {'x' * LONGEST_LINE}\n"
    sample = sample_of({"a": wrong + long + "SET b 1\n" * LINES + "SET late 1\n"})
    assert sorted(key.key for shape in sample.items for key in shape.keys) == [b"a", b"b"]


@pytest.mark.live
def test_a_file_of_commands_is_adopted_as_the_server_that_ran_them(start: Callable[..., Running]) -> None:
    running = start("redis", "commands")
    client: Any = redis.Redis.from_url(running.url)
    client.flushall()
    for line in COMMANDS.splitlines():
        if not line.startswith("#"):
            client.execute_command(*shlex.split(line))
    (live,) = from_address(running.url, ENVIRONMENT)
    read = of_files(keys_redis=COMMANDS)
    client.flushall()
    assert _classes(source(read)) == _classes(source(live.adopted))


def _classes(text: str) -> str:
    """The classes, without the server's own settings."""
    return text[text.index("class ") :]
