"""Variables that name servers, programs and required engines."""

from pathlib import Path

import pytest

from keywright import local
from keywright.errors import Unavailable, UsageError
from keywright.local import Running, ServerEvent, UnavailableServer, WantedServer
from keywright.local.environment import named_path, replacement, required_engines

from .conftest import Answers, Pretend

MONGODB = WantedServer("mongodb", "mongodb")


@pytest.mark.parametrize(
    ("engine", "url"),
    [
        ("mongodb", "mongodb://127.0.0.1:27017/?directConnection=true"),
        ("mongodb", "mongodb://me:secret@localhost:27017,127.0.0.2:27018/"),
        ("cassandra", "cassandra://cassandra:cassandra@[::1]:9042"),
        ("dynamodb", "http://localhost:8000"),
        ("redis", "redis://127.0.0.1/0"),
    ],
)
def test_a_loopback_address_is_taken(monkeypatch: pytest.MonkeyPatch, engine: str, url: str) -> None:
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
    assert replacement(engine) == url


@pytest.mark.parametrize(
    ("engine", "url", "host"),
    [
        ("mongodb", "mongodb+srv://shop.example.net/", "shop.example.net"),
        ("mongodb", "mongodb://127.0.0.1,10.0.0.7:27017/", "10.0.0.7"),
        ("cassandra", "cassandra://10.0.0.7", "10.0.0.7"),
        ("dynamodb", "https://dynamodb.eu-west-1.amazonaws.com", "dynamodb.eu-west-1.amazonaws.com"),
        ("redis", "redis://localhost.example.net", "localhost.example.net"),
    ],
)
def test_a_remote_address_is_refused_unless_it_is_allowed(
    monkeypatch: pytest.MonkeyPatch, engine: str, url: str, host: str
) -> None:
    variable = f"KEYWRIGHT_{engine.upper()}_URL"
    monkeypatch.setenv(variable, url)
    with pytest.raises(UsageError) as caught:
        replacement(engine)
    assert caught.value.problem == (
        f'"{variable}" names "{host}", but a local server must have a loopback address, '
        "so that no test data reaches a real store"
    )
    monkeypatch.setenv("KEYWRIGHT_ALLOW_REMOTE", "1")
    assert replacement(engine) == url


def test_an_address_of_another_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYWRIGHT_REDIS_URL", "127.0.0.1:6379")
    with pytest.raises(UsageError) as caught:
        replacement("redis")
    assert caught.value.problem == '"KEYWRIGHT_REDIS_URL" is not the address of a redis server'
    schemes = "redis:// or rediss:// or unix:// or redis+sentinel:// or rediss+sentinel://"
    assert caught.value.help == f"begin it with {schemes}"


def test_a_named_server_replaces_the_local_one_and_is_not_ours_to_stop(
    monkeypatch: pytest.MonkeyPatch, folder: Path, events: list[ServerEvent], pretend: Pretend
) -> None:
    pretend("mongodb")
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", "mongodb://127.0.0.1:27017/")
    server = Running(MONGODB, None, 27017, "mongodb://127.0.0.1:27017/", "$KEYWRIGHT_MONGODB_URL", "1.2.3")
    assert local.up(folder, [MONGODB], tell=events.append) == (server,)
    assert local.status(folder, [MONGODB]) == (server,)
    assert local.running(folder, [MONGODB]) == (server,)
    assert local.down(folder, tell=events.append) == ()
    assert events == []


def test_a_named_server_hides_the_one_that_this_folder_runs(
    monkeypatch: pytest.MonkeyPatch, folder: Path, events: list[ServerEvent], pretend: Pretend
) -> None:
    pretend("mongodb")
    local.up(folder, [MONGODB], tell=events.append)
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", "mongodb://127.0.0.1:27017/")
    assert local.running(folder) == ()


def test_a_named_server_that_does_not_answer_is_an_error_without_its_password(
    monkeypatch: pytest.MonkeyPatch, folder: Path, events: list[ServerEvent], pretend: Pretend
) -> None:
    pretend("mongodb", driver=lambda: Answers(ready=False))
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", "mongodb://me:secret@127.0.0.1:27017/?password=secret")
    with pytest.raises(Unavailable) as caught:
        local.up(folder, [MONGODB], tell=events.append)
    problem = '"KEYWRIGHT_MONGODB_URL" names "mongodb://127.0.0.1:27017/", which does not respond'
    assert caught.value.problem == problem
    assert local.status(folder, [MONGODB]) == (UnavailableServer(problem, "start it or unset KEYWRIGHT_MONGODB_URL"),)


def test_a_variable_that_names_no_file_is_a_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYWRIGHT_MONGOD", "/no/such/mongod")
    with pytest.raises(UsageError, match='"KEYWRIGHT_MONGOD" names "/no/such/mongod", which does not exist'):
        named_path("KEYWRIGHT_MONGOD")


@pytest.mark.parametrize(
    ("value", "required"), [("", set()), ("redis, mongodb", {"redis", "mongodb"}), ("all", set(local.RECIPES))]
)
def test_engines_can_be_required(monkeypatch: pytest.MonkeyPatch, value: str, required: set[str]) -> None:
    monkeypatch.setenv("KEYWRIGHT_REQUIRE_ENGINES", value)
    assert required_engines(local.RECIPES) == required


def test_a_required_engine_must_be_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYWRIGHT_REQUIRE_ENGINES", "redis,mongo")
    with pytest.raises(UsageError) as caught:
        required_engines(local.RECIPES)
    assert caught.value.problem == 'KEYWRIGHT_REQUIRE_ENGINES names "mongo", which have no local server'
    assert caught.value.help == "allowed: all, cassandra, dynamodb, mongodb, redis"
