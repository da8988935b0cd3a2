"""The whole way on real servers, a MongoDB and a Redis: up, apply, load, inspect, down, and everything in between."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_documents import document
from tests.interrupts import SECONDS, unmeasured
from tests.projects import a_project

from keywright import local
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.redis import driver as redis
from keywright.errors import Unavailable

from .conftest import MODELS, Said

pytestmark = pytest.mark.live

COMMAND = [sys.executable, "-m", "keywright"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project whose servers run; they stop when the tests of this file are done."""
    folder = tmp_path_factory.mktemp("served")
    a_project(folder, {"models/library.py": MODELS})
    required = sorted(local.required_engines(local.RECIPES) & {"mongodb", "redis"})
    up = keywright(folder, "local", "up", *required, "--format", "json")
    if up.code == Unavailable.exit_code and not required:
        pytest.skip(up.err)
    assert up.code == 0, up.err
    try:
        missing = [server["reason"] for server in document(up)["servers"] if server["state"] != "runs"]
        if missing:
            pytest.skip(", ".join(missing))
        yield folder
    finally:
        keywright(folder, "local", "down")


@pytest.fixture
def empty(served: Path) -> Path:
    """The same project, its MongoDB without databases."""
    with mongodb.client(url(served, "mongodb")) as client:
        client.drop_database("catalogue")
    return served


def keywright(folder: Path, *arguments: str, env: dict[str, str] | None = None) -> Said:
    ended = subprocess.run(
        [*COMMAND, "--project", str(folder), *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, **(env or {})},
        cwd=folder,
    )
    return Said(ended.returncode, ended.stdout, ended.stderr)


def record(folder: Path, server: str) -> Any:
    return json.loads((folder / ".keywright" / "local" / server / "process.json").read_text())


def url(folder: Path, server: str) -> str:
    entry = record(folder, server)
    return local.RECIPES[entry["engine"]].url(entry["port"])


def outcomes(said: Said) -> dict[str, set[str]]:
    """The outcomes of all steps in each store, from the document of `apply`."""
    return {target["store"]: {step["outcome"] for step in target["steps"]} for target in document(said)["targets"]}


def test_apply_makes_what_is_missing_and_then_nothing(empty: Path) -> None:
    first = keywright(empty, "apply", "--local", "--format", "json")
    assert (first.code, first.err, outcomes(first)["mongodb/catalogue"]) == (0, "", {"made"})
    again = keywright(empty, "apply", "--local", "--format", "json")
    assert (again.code, set.union(*outcomes(again).values())) == (0, {"kept"})
    quiet = keywright(empty, "apply", "--local", "-q")
    assert quiet == (0, "", "")


@pytest.mark.parametrize(
    ("command", "total"),
    [
        (("sample", "--load", "--local"), r"entity \d+ of \d+: \d+ items? in"),
        (("prove", "--local", "--scale", "9"), r"prove \w+, \d+ of \d+ "),
    ],
)
def test_a_terminal_shows_how_far_a_command_is(empty: Path, command: tuple[str, ...], total: str) -> None:
    keywright(empty, "apply", "--local")
    terminal, seen = os.openpty()
    words = [*COMMAND, "--project", str(empty), *command]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=seen, cwd=empty) as process:
        os.close(seen)
        text = b"".join(iter(partial(_read, terminal), b""))
    os.close(terminal)
    assert process.returncode == 0, text
    assert re.search(total, text.decode())


def _read(terminal: int) -> bytes:
    """The next output; nothing once the other side is closed."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def test_two_at_once_make_everything_once(empty: Path) -> None:
    line = [*COMMAND, "--project", str(empty), "apply", "--local", "--format", "json"]
    both = [subprocess.Popen(line, stdout=subprocess.PIPE, text=True, cwd=empty) for _ in range(2)]
    saids = [Said(process.wait(), out, "") for process in both for out in [process.communicate()[0]]]
    assert [said.code for said in saids] == [0, 0]
    assert all("conflict" not in outcome for said in saids for outcome in outcomes(said).values())


def test_two_at_once_start_each_server_once(served: Path) -> None:
    before = {server: record(served, server)["pid"] for server in ("mongodb", "redis/sessions")}
    line = [*COMMAND, "--project", str(served), "local", "up"]
    both = [subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert {server: record(served, server)["pid"] for server in before} == before


def test_a_half_created_set_is_completed(empty: Path) -> None:
    keywright(empty, "apply", "--local")
    with mongodb.client(url(empty, "mongodb")) as client:
        client["catalogue"]["books"].drop_index("title_1")
    said = keywright(empty, "apply", "--local")
    assert said.code == 0
    assert 'made mongodb/catalogue: create index "title_1" of collection "books"' in " ".join(said.err.split())


def test_a_conflict_is_reported_and_nothing_is_dropped(empty: Path) -> None:
    with mongodb.client(url(empty, "mongodb")) as client:
        client["catalogue"].create_collection("books", validator={"isbn": {"$type": "int"}})
    said = keywright(empty, "apply", "--local", "-q")
    assert (said.code, said.out) == (5, "")
    lines = said.err.splitlines()
    problem = 'cannot create collection "books": it exists with a different definition'
    assert lines[0] == f"conflict: mongodb/catalogue: {problem}"
    result = "differs: mongodb/catalogue catalogue.collections.books.validator.isbn: expected nothing, found"
    assert f'{result} {{"$type":"int"}}' in lines
    help = "the existing object was not changed; remove or rename it, or change the model to match it"
    assert lines[-1] == f"help: {help}"
    document(keywright(empty, "apply", "--local", "--format", "json"))
    with mongodb.client(url(empty, "mongodb")) as client:
        (books,) = client["catalogue"].list_collections()
        assert books["options"]["validator"] == {"isbn": {"$type": "int"}}


def test_what_a_store_refuses_to_hold_is_no_bug(empty: Path) -> None:
    with mongodb.client(url(empty, "mongodb")) as client:
        client["catalogue"].create_collection("books", validator={"nothing": {"$type": "int"}})
    said = keywright(empty, "sample", "--load", "--local", "--scale", "5")
    assert (said.code, said.out) == (3, "")
    assert said.err.startswith("error: mongodb/catalogue catalogue.books: Document failed validation\n  help: ")


def test_what_was_loaded_is_there(empty: Path) -> None:
    keywright(empty, "apply", "--local")
    assert keywright(empty, "sample", "--load", "--local", "--scale", "20").code == 0
    with mongodb.client(url(empty, "mongodb")) as client:
        assert client["catalogue"]["books"].count_documents({}) == 20


def test_inspect_shows_what_is_there(empty: Path) -> None:
    keywright(empty, "apply", "--local")
    result = document(keywright(empty, "inspect", "--local", "--format", "json"))
    assert [(target["store"], target["name"]) for target in result["targets"]] == [
        ("mongodb/catalogue", "catalogue"), ("redis/sessions", "sessions"),
    ]  # fmt: skip
    assert "title_1" in keywright(empty, "inspect", "--local", "--engine", "mongodb").out


def test_what_runs_is_a_document(served: Path) -> None:
    states = {
        server["name"]: server["state"]
        for server in document(keywright(served, "local", "status", "--format", "json"))["servers"]
    }
    assert states == {"mongodb": "runs", "sessions": "runs"}


def test_a_server_that_does_not_answer_is_named(served: Path) -> None:
    with redis.client(url(served, "redis/sessions")) as client:
        client.config_set("maxclients", 1)
        client.ping()
        said = keywright(served, "inspect", "--local", "--engine", "redis")
        client.config_set("maxclients", 100)
    assert said.code == 3
    assert said.err.startswith("error: redis/sessions: ")
    assert "Traceback" not in said.err


def test_ctrl_c_while_data_is_loaded_is_no_error(empty: Path) -> None:
    keywright(empty, "apply", "--local")
    line = [*COMMAND, "--project", str(empty), "sample", "--load", "--local", "--scale", "1000000"]
    process = interruptible(line, empty)
    with mongodb.client(url(empty, "mongodb")) as client:
        while process.poll() is None and not client["catalogue"]["books"].estimated_document_count():
            pass
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")
    assert keywright(empty, "apply", "--local", "-q") == (0, "", "")


def test_every_pattern_is_proved_and_the_document_says_how(empty: Path) -> None:
    said = keywright(empty, "prove", "--local", "--format", "json")
    assert (said.code, said.err) == (0, "")
    (book,) = document(said)["patterns"]
    assert book["proof"]["proved"]
    assert book["proof"]["compared"]
    assert book["proof"]["evidence"]
    assert keywright(empty, "prove", "--local").out.splitlines()[-1] == "1 of 1 pattern proved on 1 engine"


def test_two_proofs_at_once_keep_out_of_each_others_way(empty: Path) -> None:
    line = [*COMMAND, "--project", str(empty), "prove", "--local", "--scale", "500"]
    several = [subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=empty) for _ in range(2)]
    assert [process.communicate()[1] for process in several] == [b"", b""]
    assert [process.returncode for process in several] == [0, 0]
    assert scratch(empty) == []


def test_ctrl_c_while_patterns_are_proved_leaves_no_scratch_store(empty: Path) -> None:
    line = [*COMMAND, "--project", str(empty), "prove", "--local", "--scale", "100000"]
    process = interruptible(line, empty)
    while process.poll() is None and not scratch(empty):
        pass
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")
    assert scratch(empty) == []


def test_on_an_endpoint_without_load_nothing_is_written(empty: Path) -> None:
    keywright(empty, "apply", "--local")
    said = keywright(empty, "prove", "--endpoint", f"mongodb={url(empty, 'mongodb')}", "--format", "json")
    (book,) = document(said)["patterns"]
    assert (book["proof"]["proved"], book["proof"]["compared"]) == (True, False)
    with mongodb.client(url(empty, "mongodb")) as client:
        assert client["catalogue"]["books"].estimated_document_count() == 0


def scratch(folder: Path) -> list[str]:
    """Names of scratch databases that are there."""
    with mongodb.client(url(folder, "mongodb")) as client:
        return [name for name in client.list_database_names() if name.startswith("kwproof_")]


def test_a_server_that_was_killed_is_left_out_and_started_again(served: Path) -> None:
    killed = record(served, "redis/sessions")["pid"]
    os.kill(killed, signal.SIGKILL)
    said = keywright(served, "apply", "--local", "--format", "json")
    assert (said.code, document(said)["skipped"]) == (0, ["redis/sessions"])
    said = keywright(served, "inspect", "--local", "--engine", "redis")
    assert (said.code, said.err) == (
        3,
        "error: no local server is running\n  help: start them with `keywright local up`\n",
    )
    assert keywright(served, "apply", "--local", env={"KEYWRIGHT_REQUIRE_ENGINES": "redis"}).code == 3
    assert keywright(served, "local", "up").code == 0
    assert record(served, "redis/sessions")["pid"] != killed


def test_ctrl_c_while_servers_start_leaves_none(tmp_path: Path, served: Path) -> None:
    a_project(tmp_path, {"models/library.py": MODELS})
    line = [*COMMAND, "--project", str(tmp_path), "local", "up"]
    process = interruptible(line, tmp_path)
    assert process.stderr is not None
    process.stderr.readline()  # the first server is about to start
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, err.splitlines()[-1]) == (130, "interrupted")
    assert list((tmp_path / ".keywright").rglob("process.json")) == []
    assert keywright(tmp_path, "local", "down").out == "no server is running here\n"


def interruptible(line: list[str], folder: Path) -> "subprocess.Popen[str]":
    """A command line at work, of which what it says is read when it has ended."""
    return subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, env=unmeasured()
    )
