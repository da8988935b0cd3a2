"""Addresses of Redis, and logins at ElastiCache and MemoryDB, which are not here: what is sent is computed again."""

import hashlib
import hmac
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from keywright.drivers.redis import driver as redis
from keywright.drivers.redis.address import in_database, parse
from keywright.drivers.redis.iam import IamProvider
from keywright.drivers.redis.sentinels import primary_address
from keywright.engines.interface import ServerUnreachable, StatementFailed

KEYS = {"AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "s3cret/key", "AWS_SESSION_TOKEN": "a+b/c="}
CACHE = "rediss://reader@cache.example.com:6379/0?iam_region=eu-west-1&iam_cache=Orders"


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("redis://u:s3cret@localhost/0?ssl_ca_cert=x", 'unknown option "ssl_ca_cert"; did you mean "ssl_ca_certs"?'),
        ("redis://u:s3cret@localhost/0?ssl_password=s3cret", 'option "ssl_password" of its address needs TLS'),
        ("redis://u:s3cret@localhost/orders", "a database that is not a number"),
        ("rediss://u:s3cret@localhost/0?ssl_ca_certs=/nowhere.pem", '"/nowhere.pem" of its address cannot be read: no'),
        ("rediss://u:s3cret@localhost/0?ssl_certfile=/&ssl_keyfile=/", '"/" of its address cannot be read: is a dir'),
        ("rediss://u:s3cret@localhost/0?ssl_cert_reqs=s3cret", "none of none, optional, required"),
        ("redis://u:s3cret@localhost/0?iam_region=a&iam_cache=b", "without TLS"),
        ("rediss://localhost/0?iam_region=a&iam_cache=b", "has no user"),
        ("rediss://u:s3cret@localhost/0?iam_cache=b", "lacks iam_region"),
        ("rediss://u@localhost/0?iam_region=a&iam_cache=b&iam_service=s3cret", "neither elasticache nor memorydb"),
        (f"{CACHE}&iam_service=memorydb&iam_serverless=true", "iam_serverless=true, which MemoryDB does not have"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_without_its_values(address: str, words: str) -> None:
    for act in (parse, redis.connect):
        with pytest.raises(StatementFailed) as problem:
            act(address)
        assert words in str(problem.value)
        assert "s3cret" not in str(problem.value)
    assert not redis.is_ready(address)


def test_tls_checks_the_name_of_the_server_in_every_version_of_the_client() -> None:
    assert parse("rediss://localhost/0")[1] == {"ssl_check_hostname": True}
    assert parse("redis://localhost/0") == ("redis://localhost/0", {})


def test_a_client_takes_the_options_of_its_address(tmp_path: Path) -> None:
    client = redis.client("unix://reader:p%40ss%2F@/run/redis.sock?db=3")
    options = client.connection_pool.connection_kwargs
    assert (options["path"], options["username"], options["password"]) == ("/run/redis.sock", "reader", "p@ss/")
    assert options["db"] == 3


def test_iam_leaves_no_other_login_in_the_address() -> None:
    address, options = parse(CACHE.replace("reader@", "reader:old@") + "&socket_timeout=3&password=x")
    assert address == "rediss://cache.example.com:6379/0?socket_timeout=3"
    assert options["credential_provider"].get_credentials()[0] == "reader"


def signature(token: str, service: str) -> str:
    """The signature of a request, as AWS describes it, from the parts that the token has."""
    parts = urlsplit(f"http://{token}")
    output, _, _ = parts.query.partition("&X-Amz-Signature=")
    query = "&".join(sorted(output.split("&")))
    at = parse_qs(output)["X-Amz-Date"][0]
    request = f"GET\n/\n{query}\nhost:{parts.netloc}\n\nhost\n{hashlib.sha256(b'').hexdigest()}"
    scope = f"{at[:8]}/eu-west-1/{service}/aws4_request"
    signed = f"AWS4-HMAC-SHA256\n{at}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
    key = f"AWS4{KEYS['AWS_SECRET_ACCESS_KEY']}".encode()
    for part in (at[:8], "eu-west-1", service, "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    return hmac.digest(key, signed.encode(), "sha256").hex()


@pytest.mark.parametrize(
    ("more", "service", "asked"),
    [
        ("", "elasticache", {}),
        ("&iam_serverless=true", "elasticache", {"ResourceType": ["ServerlessCache"]}),
        ("&iam_service=memorydb", "memorydb", {}),
    ],
)
def test_a_password_is_a_signed_request_of_fifteen_minutes(
    more: str, service: str, asked: dict[str, list[str]]
) -> None:
    user, token = parse(CACHE + more)[1]["credential_provider"].get_credentials()
    output = parse_qs(urlsplit(f"http://{token}").query)
    assert user == "reader"
    assert token.startswith("orders/?Action=connect&User=reader&")
    assert {name: value for name, value in output.items() if name in ("X-Amz-Expires", "ResourceType")} == {
        "X-Amz-Expires": ["900"], **asked,
    }  # fmt: skip
    assert output["X-Amz-Security-Token"] == [KEYS["AWS_SESSION_TOKEN"]]
    assert output["X-Amz-Signature"] == [signature(token, service)]


def test_credentials_are_asked_for_anew_at_each_login(monkeypatch: pytest.MonkeyPatch) -> None:
    provider = IamProvider("reader", "orders", "eu-west-1")
    monkeypatch.setattr(provider._session, "get_credentials", lambda: None)
    with pytest.raises(StatementFailed, match="no AWS credentials"):
        provider.get_credentials()


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("redis://localhost:6379", "redis://localhost:6379/9"),
        ("redis://u:p%40@localhost:6379/0?protocol=3&db=2", "redis://u:p%40@localhost:6379/9?protocol=3"),
        ("unix://u:p@/run/redis.sock?db=1", "unix://u:p@/run/redis.sock?db=9"),
    ],
)
def test_an_address_is_made_that_of_another_database(address: str, wanted: str) -> None:
    assert in_database(address, 9) == wanted
    created = redis.client(in_database(address, 9))
    assert created.connection_pool.connection_kwargs["db"] == 9


def test_an_address_of_sentinels_names_the_server() -> None:
    with pytest.raises(StatementFailed, match=r"names sentinels and no server; add \?sentinel=NAME"):
        primary_address("redis+sentinel://a:1,b:2/0", 1)
    with pytest.raises(ServerUnreachable, match="none of its sentinels answers, or knows a primary named shop"):
        primary_address("redis+sentinel://u:s3cret@127.0.0.1:1,127.0.0.1:2/0?sentinel=shop", 1)
    with pytest.raises(StatementFailed, match='the unknown option "sentinel"'):
        parse("redis://a:1/0?sentinel=shop")


def test_an_address_of_a_server_is_its_own_primary() -> None:
    for url in ("redis://u:p@h:1/0?db=2", "rediss://h:1", "unix:///s.sock"):
        assert primary_address(url, 1) == url
