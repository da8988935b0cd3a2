"""Characters that UTF-8 or files cannot hold, in models, settings, arguments and addresses: never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.live.daily import Daily
from tests.live.test_read_only import MODELS, PARTS, STACK
from tests.projects import with_imports

HALF = "\\ud800"
FIELD = "    more: {}\n    isbn:"
PLACES = {
    "store": ('("daily"', f'("daily{HALF}"'),
    "alias": ("    isbn:", FIELD.format(f'Annotated[str, Field(alias="a{HALF}")] = ""')),
    "description": ("    isbn:", FIELD.format(f'Annotated[str, Field(description="a{HALF}")] = ""')),
    "closed set": ("    isbn:", FIELD.format(f'Literal["a{HALF}", "b"] = "b"')),
    "default": ("    isbn:", FIELD.format(f'str = "a{HALF}"')),
    "pattern": ("    isbn:", FIELD.format(f'Annotated[str, Field(pattern="a{HALF}")] = "a"')),
    "docstring": ("    __store__", f'    """Books{HALF}."""\n    __store__'),
    "reason": ("class Book", f'OTHER = "{HALF}"\n\n\nclass Book'),
    "key": ('"{isbn}"', f'"{HALF}{{isbn}}"'),
    "key of dynamodb": ("BOOK#", f"BOOK{HALF}#"),
    "key of redis": ('"book:', f'"book{HALF}:'),
    "partition": ('partition="isbn"', f'partition="{HALF}"'),
}
"""What is put in place of a part of the models."""

COMMANDS = (("compile",), ("check",), ("migrate", "diff", "-m", "first"), ("patterns",), ("check", "--format", "sarif"),
            ("monitor",), ("sample",))  # fmt: skip


def a_book(folder: Path, engine: str, models: str) -> Daily:
    return Daily(folder, models, stack=STACK.replace("{part}", PARTS[engine]))


@pytest.mark.parametrize("escape", [HALF, "\\0"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("engine", sorted(MODELS))
def test_half_a_pair_or_nul_in_a_model_is_refused_or_escaped(
    engine: str, place: str, escape: str, tmp_path: Path
) -> None:
    was, becomes = PLACES[place]
    text, other = with_imports(MODELS[engine]), (was, becomes.replace(HALF, escape))
    if other[0] not in text:
        return
    daily = a_book(tmp_path / "project", engine, text.replace(*other, 1))
    for words in COMMANDS:
        said = daily.keywright(*words)
        assert said.code in (0, 1, 2), (words, said)
        assert "Traceback" not in said.err


WORDS = st.text(st.sampled_from("a\udcff\udc80é-"), min_size=1, max_size=4).filter(lambda text: text != "-")
"""Arguments that are not UTF-8, as Python reads them."""

ARGUMENTS = (
    ("check", "--env"), ("check", "--select"), ("explain",), ("compile", "-o"), ("migrate", "resolve"), ("rules",),
    ("migrate", "accept"), ("--project",), ("local", "up"), ("inspect",), ("migrate", "plan", "-o"), (),
)  # fmt: skip


def test_half_a_pair_in_an_argument_is_refused_or_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    daily = a_book(tmp_path / "project", "mongodb", with_imports(MODELS["mongodb"]))
    monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB", "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100")

    @settings(max_examples=40, deadline=None)
    @given(st.sampled_from(ARGUMENTS), WORDS)
    def tried(words: tuple[str, ...], word: str) -> None:
        said = daily.keywright(*words, word)
        assert said.code in (0, 1, 2, 3), (words, word, said)

    tried()


ADDRESSES = {
    "mongodb": "mongodb://{}:{}@127.0.0.1:1/?appName={}&serverSelectionTimeoutMS=100",
    "redis": "redis://{}:{}@127.0.0.1:1/0?client_name={}",
    "cassandra": "cassandra://{}:{}@127.0.0.1:1/?tls={}",
    "dynamodb": "http://{}:{}@127.0.0.1:1/{}",
}


@pytest.fixture(scope="module")
def of_all(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Daily]:
    """A project of each engine, with its first migration; nothing here changes them."""
    projects = {
        engine: a_book(tmp_path_factory.mktemp(engine) / "project", engine, with_imports(MODELS[engine]))
        for engine in ADDRESSES
    }
    assert {daily("diff", "-m", "first").code for daily in projects.values()} == {0}
    return projects


@pytest.mark.parametrize("engine", sorted(ADDRESSES))
@pytest.mark.parametrize("at", range(3))
def test_half_a_pair_in_an_address_is_refused(engine: str, at: int, of_all: dict[str, Daily]) -> None:
    """In a process of its own, whose output is a pipe, as in a terminal."""
    daily = of_all[engine]
    parts = ["x\udcff" if at == other else "true" for other in range(3)]
    environment = {**os.environ, f"KEYWRIGHT_STORE_{engine.upper()}": ADDRESSES[engine].format(*parts)}
    command = [sys.executable, "-m", "keywright", "migrate", "status", "--env", "dev"]
    done = subprocess.run(command, cwd=daily.root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (2, 3), done
    assert "Traceback" not in done.stderr
