"""Secrets in every part of an address that may hold one are in no output and no file of any command that fails."""

import os
from itertools import product
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st
from tests.live.daily import Daily
from tests.live.drawn import drawn
from tests.live.test_read_only import MODELS, PARTS, STACK
from tests.projects import with_imports
from tests.servers import Start

from keywright.drivers.mongodb import ledger

pytestmark = pytest.mark.live

SECRET = "hunter2-pL4nted"
COMMANDS = (
    ("migrate", "status"), ("migrate", "plan"), ("migrate", "apply"), ("migrate", "status", "--format", "json"),
    ("drift",), ("inspect",), ("check", "--live"), ("-v", "drift"),
)  # fmt: skip

LOGINS = (f"u:{SECRET}@", f":{SECRET}@", f"{SECRET}@", "u:x%40" + SECRET + "@", f"u:{SECRET}%zz@", f"u:{SECRET}@h@", "")
OPTIONS = {
    "mongodb": (
        f"password={SECRET}", f"authMechanismProperties=AWS_SESSION_TOKEN:{SECRET}&authMechanism=MONGODB-AWS",
        f"authMechanismProperties={SECRET}", f"tls=true&tlsCertificateKeyFilePassword={SECRET}", f"tls={SECRET}",
        f"appName={SECRET}", "",
    ),
    "redis": (f"password={SECRET}", f"username={SECRET}", f"ssl_password={SECRET}", f"secret={SECRET}",
              f"db={SECRET}", f"protocol={SECRET}", f"iam_region=a&iam_cache=b&iam_service={SECRET}", ""),
    "cassandra": (f"password={SECRET}", f"tls={SECRET}", f"sigV4Region={SECRET}", ""),
    "dynamodb": ("",),
}  # fmt: skip
SCHEMES = {"mongodb": ("mongodb",), "redis": ("redis", "rediss"), "cassandra": ("cassandra",), "dynamodb": ("http",)}
FAST = {"mongodb": "serverSelectionTimeoutMS=200&connectTimeoutMS=200", "redis": "socket_timeout=0.5"}


def addresses(engine: str, host: str) -> st.SearchStrategy[str]:
    """Addresses with the secret in some place, well formed or not."""
    parts = (st.sampled_from(SCHEMES[engine]), st.sampled_from(LOGINS), st.sampled_from(OPTIONS[engine]))

    def address(scheme: str, login: str, option: str) -> str:
        options = "&".join(filter(None, (option, FAST.get(engine, ""))))
        return f"{scheme}://{login}{host}/?{options}" if options else f"{scheme}://{login}{host}"

    return st.builds(address, *parts)


@pytest.mark.parametrize("engine", sorted(SCHEMES))
@pytest.mark.parametrize("is_there", [True, False], ids=["served", "unreachable"])
def test_a_planted_secret_is_nowhere(
    engine: str, is_there: bool, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    daily = Daily(tmp_path / "project", with_imports(MODELS[engine]), stack=STACK.replace("{part}", PARTS[engine]))
    assert daily("diff", "-m", "first").code == 0
    host = f"127.0.0.1:{start(engine, 'planted' if engine == 'redis' else '').port}" if is_there else "127.0.0.1:1"
    variable = f"KEYWRIGHT_STORE_{engine.upper()}"
    monkeypatch.delenv(f"{variable}_FILE", raising=False)
    forms = st.tuples(addresses(engine, host), st.sampled_from(COMMANDS))

    @drawn(12, phases=tuple(Phase))
    @given(forms)
    def searched(form: tuple[str, tuple[str, ...]]) -> None:
        address, words = form
        os.environ[variable] = address
        said = daily.keywright(*words, "--env", "dev")
        assert said.code not in (70, 130), (address, said)
        for text in (SECRET, quote(SECRET, safe="")):
            assert text not in said.out + said.err, (address, said)

    monkeypatch.setenv(variable, "")
    monkeypatch.setattr(ledger, "TIMEOUT_SECONDS", 1)
    searched()
    files = [path for path in daily.root.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert files == []


@pytest.mark.parametrize(("engine", "form"), list(product(["mongodb", "redis"], ["text", "json"])))
def test_a_server_that_a_variable_names_is_listed_without_its_secrets(
    engine: str, form: str, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start(engine, "planted" if engine == "redis" else "")
    option = {"mongodb": f"directConnection=true&appName={SECRET}", "redis": f"client_name={SECRET}"}[engine]
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", f"{server.url.partition('?')[0]}?{option}")
    daily = Daily(tmp_path / "project", with_imports(MODELS[engine]), stack=STACK.replace("{part}", PARTS[engine]))
    said = daily.keywright("local", "status", "--format", form)
    assert said.code == 0, said
    assert str(server.port) in said.out
    assert SECRET not in said.out + said.err
