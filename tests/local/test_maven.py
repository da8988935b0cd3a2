"""Servers that are a folder of jars."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from keywright.errors import UsageError
from keywright.local.fetch import java, maven
from keywright.local.fetch.cache import Fetching
from keywright.local.recipes.dynamodb import JARS as REAL
from keywright.local.server_program import FoundServer, UnavailableServer
from keywright.record import replace

Script = Callable[[str, str], Path]
# The hash is that of the text "jar".
JARS = replace(
    REAL, sha256=(("DynamoDBLocal-3.3.1.jar", "0163f1eea7894350060624d315234d40c508ab251ba121714e234503045faadd"),)
)
COPIES = """for argument; do case $argument in -DoutputDirectory=*) folder=${argument#*=};; esac; done
printf jar > $folder/DynamoDBLocal-3.3.1.jar"""


@pytest.fixture(autouse=True)
def jvm(script: Script, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A Java 17, alone on the PATH."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(java, "WHEELS", {})
    return script("java", """echo 'openjdk version "17.0.15"' >&2""")


@pytest.fixture
def notices() -> list[tuple[str, str]]:
    """The events of the fetch."""
    return []


@pytest.fixture
def fetching(tmp_path: Path, notices: list[tuple[str, str]]) -> Fetching:
    """A fetch into an empty cache."""
    return Fetching(tmp_path / "cache", lambda phase, text: notices.append((phase, text)), threading.Event())


def test_jars_of_maven_are_in_the_cache(
    script: Script, fetching: Fetching, notices: list[tuple[str, str]], jvm: Path
) -> None:
    script("mvn", COPIES)
    folder = fetching.cache / "jars" / "dynamodb-local-3.3.1"
    assert maven.fetch(JARS, fetching, "its terms") == FoundServer(folder, "cache", jvm)
    assert notices == [("licence", "its terms"), ("fetch", "dynamodb-local-3.3.1 with Maven, 50 MB")]
    assert maven.locate(JARS, fetching.cache) == FoundServer(folder, "cache", jvm)


def test_maven_runs_on_the_java_that_was_found(script: Script, fetching: Fetching, jvm: Path) -> None:
    script("mvn", f"{COPIES}\nprintf '%s' $JAVA_HOME > $folder/home")
    maven.fetch(JARS, fetching, "")
    home = fetching.cache / "jars" / "dynamodb-local-3.3.1" / "home"
    assert home.read_text() == str(jvm.parent.parent)


def test_a_maven_that_succeeds_and_copies_nothing_is_detected(script: Script, fetching: Fetching) -> None:
    script("mvn", "exit 0")
    answer = maven.fetch(JARS, fetching, "")
    assert isinstance(answer, UnavailableServer)
    assert answer.reason == 'Maven did not copy "DynamoDBLocal-3.3.1.jar"'
    assert not (fetching.cache / "jars" / "dynamodb-local-3.3.1").exists()


def test_a_jar_with_another_hash_is_rejected(script: Script, fetching: Fetching) -> None:
    script("mvn", COPIES.replace("printf jar", "printf changed"))
    answer = maven.fetch(JARS, fetching, "")
    assert isinstance(answer, UnavailableServer)
    assert answer.reason.startswith('"DynamoDBLocal-3.3.1.jar" has the SHA-256 ')
    assert not (fetching.cache / "jars" / "dynamodb-local-3.3.1").exists()


def test_the_first_error_of_maven_is_the_reason(script: Script, fetching: Fetching) -> None:
    script("mvn", "echo '[WARNING] slow'; echo '[ERROR] could not resolve it'; echo '[ERROR] more'; exit 1")
    assert maven.fetch(JARS, fetching, "") == UnavailableServer(
        "Maven could not resolve dynamodb-local-3.3.1: could not resolve it",
        "check the connection to the Maven repository and try again",
    )


def test_without_maven_the_package_to_install_is_reported(fetching: Fetching) -> None:
    assert maven.fetch(JARS, fetching, "") == UnavailableServer(
        "needs Maven to fetch dynamodb-local-3.3.1", "install Maven (Debian: maven, Homebrew: maven)"
    )


def test_a_named_folder_is_used_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jvm: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "DynamoDBLocal-2.0.jar").touch()
    monkeypatch.setenv("KEYWRIGHT_DYNAMODB_LIB", str(tmp_path / "mine"))
    assert maven.locate(JARS, tmp_path) == FoundServer(tmp_path / "mine", "$KEYWRIGHT_DYNAMODB_LIB", jvm)


def test_a_named_folder_without_the_server_is_a_usage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYWRIGHT_DYNAMODB_LIB", str(tmp_path))
    with pytest.raises(UsageError) as caught:
        maven.locate(JARS, tmp_path)
    assert caught.value.problem == (
        f'"KEYWRIGHT_DYNAMODB_LIB" names "{tmp_path}", which contains no DynamoDBLocal-*.jar'
    )
