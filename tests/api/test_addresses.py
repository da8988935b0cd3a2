"""Where stores are, by who says so first."""

import pytest

from keywright.api.addresses import address_of, has_password, keys_of
from keywright.errors import UsageError

URI = "mongodb://a"


def test_a_store_has_two_keys() -> None:
    assert keys_of("redis/games-jobs") == ("redisGamesJobsUri", "redisUri")


def test_who_says_it_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked() -> dict[str, str]:
        return {"mongodbContentUri": "mongodb://stack"}

    assert address_of("mongodb/content", None, asked) == ("keywright:mongodbContentUri", "mongodb://stack")
    monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB", "mongodb://all")
    assert address_of("mongodb/content", None, asked) == ("KEYWRIGHT_STORE_MONGODB", "mongodb://all")
    monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB_CONTENT", "mongodb://one")
    assert address_of("mongodb/content", {}, asked) == ("KEYWRIGHT_STORE_MONGODB_CONTENT", "mongodb://one")
    assert address_of("mongodb/content", {"mongodbUri": URI}, asked) == ("keywright:mongodbUri", URI)


def test_nobody_says_it() -> None:
    with pytest.raises(UsageError, match="nobody says where mongodb/content is") as refused:
        address_of("mongodb/content", {}, dict)
    assert "`pulumi config set --secret keywright:mongodbUri`" in refused.value.help
    assert address_of("dynamodb", {}, dict) == ("aws:region", "aws:")


@pytest.mark.parametrize(
    ("address", "has"),
    [("redis://h", False), ("redis://user@h", False), ("redis://:p@h", True), ("redis://u:p@[h", True)],
)
def test_passwords_are_seen(address: str, has: bool) -> None:
    assert has_password(address) is has
