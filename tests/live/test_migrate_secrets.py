"""Secrets in addresses and stack files reach no output, no file, no log and no history."""

import json
import os
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.live.crash_cases import CASES, Case
from tests.live.crashing import project
from tests.live.daily import Daily, Said, books

from keywright.api.live import connect
from keywright.local import Running
from keywright.project.settings import read_settings

pytestmark = pytest.mark.live

SECRET = "hunter2-pL4nted"
COMMANDS = [
    *(("migrate", *words) for words in (("status",), ("plan",), ("plan", "-o", "plan.json"), ("apply",))),
    ("drift",),
]
FORMS: list[tuple[str, ...]] = [(), ("--format", "json"), ("-v",), ("-q",)]


def with_login(url: str, login: str = f"somebody:{SECRET}") -> str:
    return url.replace("://", f"://{login}@")


@pytest.fixture(params=sorted(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]()


class Searched(Daily):
    """A project whose stack file holds a secret that is none of keywright's business."""

    def __init__(self, root: Path, case: Case, prefix: str) -> None:
        self.root, self.prefix = root, prefix
        project(root, case, prefix)
        file = root / "stacks" / "Pulumi.dev.yaml"
        file.write_text(f"{file.read_text()}  shop:password: {SECRET}\n  shop:key: {{secure: {SECRET}}}\n")
        self.stack = file

    def says(self, *options: str) -> list[Said]:
        """What all commands say, in all forms."""
        keywrights = [self.keywright(*entry, *form, *options) for entry, form in product(COMMANDS, FORMS)]
        assert [entry for entry in keywrights if SECRET in entry.out + entry.err] == []
        assert self.holds() == [self.stack]
        return keywrights

    def holds(self) -> list[Path]:
        """The files with the secret, keywright's own among them."""
        files = [path for path in sorted(self.root.rglob("*")) if path.is_file()]
        return [file for file in files if SECRET.encode() in file.read_bytes()]


@pytest.fixture
def searched(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Searched:
    for name in [name for name in os.environ if name.startswith("KEYWRIGHT_STORE_")]:
        monkeypatch.delenv(name)
    return Searched(tmp_path / "project", case, f"secret{os.getpid()}_")


def test_a_login_that_is_refused_or_taken(
    searched: Searched, case: Case, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    """DynamoDB takes any key here, and the others know nobody: either way the address is told without its login."""
    engine = case.engine.name
    server = start(engine, "secrets" if engine == "redis" else "")
    monkeypatch.setenv(f"KEYWRIGHT_STORE_{engine.upper()}", with_login(server.url))
    says = searched.says("--env", "dev")
    assert not {say.code for say in says} & {2, 70}, says
    if engine in ("cassandra", "mongodb", "redis"):
        assert {say.code for say in says} == {3}
        return
    settings = read_settings(searched.root)
    with connect.opened(connect.StoreSelector(settings, "dev", is_local=False), [case.store]) as opened:
        rows: Any = opened[case.store].ledger.rows("")
    assert rows["0001"]["state"] == "done"
    assert SECRET not in json.dumps(rows)


def test_a_server_that_is_not_there(searched: Searched, case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    scheme = "http" if case.engine.name == "dynamodb" else case.engine.name
    monkeypatch.setenv(f"KEYWRIGHT_STORE_{case.engine.name.upper()}", with_login(f"{scheme}://127.0.0.1:1"))
    said = searched.keywright("migrate", "apply", "-v", "--env", "dev")
    assert (said.code, SECRET in said.out + said.err) == (3, False)
    assert searched.holds() == [searched.stack]


@pytest.mark.parametrize("end", ["://somebody:{secret}@127.0.0.1:port/x", "-not://somebody:{secret}@127.0.0.1"])
@pytest.mark.parametrize(
    ("variable", "where"),
    [
        ("KEYWRIGHT_STORE_{engine}", ("--env", "dev")),
        ("KEYWRIGHT_{engine}_URL", ("--local",)),
    ],
)
def test_an_address_that_is_none(
    searched: Searched, case: Case, end: str, variable: str, where: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = case.engine.name
    scheme = "http" if engine == "dynamodb" else engine
    monkeypatch.setenv(variable.format(engine=engine.upper()), scheme + end.format(secret=SECRET))
    says = searched.says(*where)
    assert {say.code for say in says} == {2}, says[0]
    assert variable.format(engine=engine.upper()) in says[0].err


def test_a_version_holds_nothing_of_a_stack_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB", with_login("mongodb://127.0.0.1:1"))
    daily = Daily(tmp_path / "library", books("title"))
    file = daily.root / "stacks" / "Pulumi.dev.yaml"
    file.write_text(f"{file.read_text()}  shop:password: {SECRET}\n")
    for words in (("diff", "-m", "first", "-v"), ("diff", "--check", "--format", "json"), ("lint", "-v")):
        said = daily(*words)
        assert (said.code, SECRET in said.out + said.err) == (0, False)
    written = [
        path for path in sorted(daily.root.rglob("*")) if path.is_file() and SECRET.encode() in path.read_bytes()
    ]
    assert written == [file]
