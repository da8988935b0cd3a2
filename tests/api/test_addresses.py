"""Addresses of stores, by the precedence of their sources."""

from pathlib import Path

import pytest

from keywright.api.live.addresses import address_of, has_password, server_of
from keywright.errors import UsageError
from keywright.project.environments.configuration import keys_of, unknown_keys

URI = "mongodb://a"


def test_a_store_has_two_keys() -> None:
    assert keys_of("redis/games-jobs") == ("redisGamesJobsUri", "redisUri")


def test_who_says_it_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def stack_configuration() -> dict[str, str]:
        return {"mongodbContentUri": "mongodb://stack"}

    assert address_of("mongodb/content", None, stack_configuration) == (
        "keywright:mongodbContentUri",
        "mongodb://stack",
    )
    monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB", "mongodb://all")
    assert address_of("mongodb/content", None, stack_configuration) == ("KEYWRIGHT_STORE_MONGODB", "mongodb://all")
    monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB_CONTENT", "mongodb://one")
    assert address_of("mongodb/content", {}, stack_configuration) == (
        "KEYWRIGHT_STORE_MONGODB_CONTENT",
        "mongodb://one",
    )
    assert address_of("mongodb/content", {"mongodbUri": URI}, stack_configuration) == ("keywright:mongodbUri", URI)


def test_nobody_says_it() -> None:
    with pytest.raises(UsageError, match="no address is set for mongodb/content") as refused:
        address_of("mongodb/content", {}, dict)
    assert "`pulumi config set --secret keywright:mongodbUri`" in refused.value.help
    assert address_of("dynamodb", {}, dict) == ("aws:region", "aws:")


@pytest.mark.parametrize(
    ("address", "has"),
    [("redis://h", False), ("redis://user@h", False), ("redis://:p@h", True), ("redis://u:p@[h", True)],
)
def test_passwords_are_seen(address: str, has: bool) -> None:
    assert has_password(address) is has


def test_an_address_may_stand_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KEYWRIGHT_STORE_MONGODB", raising=False)
    file = tmp_path / "address"
    file.write_text("mongodb://user:secret@host\n", encoding="utf-8")
    monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB_FILE", str(file))
    assert address_of("mongodb/content", {}, dict) == ("KEYWRIGHT_STORE_MONGODB_FILE", "mongodb://user:secret@host")
    monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB_FILE", str(tmp_path / "none"))
    with pytest.raises(UsageError, match="cannot be read: no such file or directory"):
        address_of("mongodb/content", {}, dict)


CONTENTS = [
    (b"", 'names ".*address", which is empty'),
    (b" \r\n\n", "which is empty"),
    (b"\xff\xfe\x00m", "which is not text in UTF-8"),
    (b"mongodb://u:s3cret@a\nmongodb://u:s3cret@b\n", "is not an address of MongoDB: it contains a line break"),
    (b"mongodb://u:s3cret\x00@a", "it contains a line break or control character"),
    (b"s3cret", "it has another scheme"),
]
"""Contents of a file, and the reason why they are not an address."""


@pytest.mark.parametrize(("contents", "why"), CONTENTS)
def test_a_file_without_an_address_is_refused_with_the_reason(
    contents: bytes, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KEYWRIGHT_STORE_MONGODB", raising=False)
    file = tmp_path / "address"
    file.write_bytes(contents)
    monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB_FILE", str(file))
    with pytest.raises(UsageError, match=why) as refused:
        address_of("mongodb/content", {"mongodbUri": ""}, dict)
    assert "KEYWRIGHT_STORE_MONGODB_FILE" in refused.value.problem
    assert "s3cret" not in str(refused.value)
    assert refused.value.exit_code == 2


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n", b"\n\n", b"  \n"])
def test_a_file_may_end_with_line_breaks_and_begin_with_a_byte_order_mark(
    ending: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KEYWRIGHT_STORE_MONGODB", raising=False)
    for mark in (b"", b"\xef\xbb\xbf"):
        (tmp_path / "address").write_bytes(mark + URI.encode() + ending)
        monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB_FILE", str(tmp_path / "address"))
        assert address_of("mongodb/content", {}, dict) == ("KEYWRIGHT_STORE_MONGODB_FILE", URI)


@pytest.mark.parametrize(
    ("error", "why"),
    [(IsADirectoryError, "is a directory"), (PermissionError, "permission denied"), (FileNotFoundError, "no such")],
)
def test_a_file_that_cannot_be_read_is_named_with_the_reason(
    error: type[OSError], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader that rejects the file, because root may read everything."""
    monkeypatch.delenv("KEYWRIGHT_STORE_MONGODB", raising=False)
    place = tmp_path / "a\nfolder"
    if error is IsADirectoryError:
        place.mkdir()
    monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB_FILE", str(place))
    if error is PermissionError:
        monkeypatch.setattr(Path, "read_text", denied)
    with pytest.raises(UsageError, match=f"which cannot be read: {why}") as refused:
        address_of("mongodb/content", {}, dict)
    assert "\n" not in refused.value.problem


def denied(path: Path, **options: object) -> str:
    raise PermissionError(13, "Permission denied", str(path))


def test_a_server_is_named_without_user_password_and_options() -> None:
    assert server_of("mongodb", "mongodb://u:p@B:2,a:1/db?x=y") == "mongodb://a:1,b:2"
    assert server_of("redis", "rediss://u:p@a:1/3?ssl_ca_certs=x") == "rediss://a:1/3"
    assert server_of("dynamodb", "aws:eu-west-1") == "aws:eu-west-1"


@pytest.mark.parametrize("option", ["password=x", "tlsCertificateKeyFilePassword=x", "authMechanismProperties=A:x"])
def test_an_option_may_be_a_secret(option: str) -> None:
    assert has_password(f"mongodb://host/?{option}")
    assert not has_password("mongodb://host/?directConnection=true")


def test_a_key_that_nothing_reads_has_the_nearest_one_as_help() -> None:
    ((key, problem),) = unknown_keys(["mongodbContnetUri", "local"], ["mongodb/content"])
    assert key == "mongodbContnetUri"
    assert problem.endswith('did you mean "mongodbContentUri"?')
