"""Addresses of Cassandra, and logins at Amazon Keyspaces, which is not here: what is sent is compared as text."""

import hashlib
import hmac
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from keywright.drivers.cassandra.address import parse
from keywright.drivers.cassandra.sigv4 import SigV4Authenticator, SigV4Provider
from keywright.engines.interface import StatementFailed

NONCE = "91703fdc2ef562e19fbdab0f58e42fe5"
WHEN = datetime(2020, 6, 9, 22, 41, 51, 999_600, tzinfo=UTC)
KEYS = SimpleNamespace(access_key="UserID-1", secret_key="UserSecretKey-1", token="")


def test_an_address_has_several_contact_points_with_ports_of_their_own() -> None:
    address = parse("cassandra://user:p%40ss@one,two:9142,[::1]:9043/")
    assert address.hosts == (("one", 9042), ("two", 9142), ("::1", 9043))
    assert (address.login.username, address.login.password) == ("user", "p@ss")
    assert address.context is None


def test_a_contact_point_is_checked_by_its_name_at_each_of_its_numbers() -> None:
    (point, *_) = parse("cassandra://localhost/?tls=true").points()
    assert point.ssl_options == {"server_hostname": "localhost"}


def test_a_contact_point_in_clear_has_nothing_of_tls() -> None:
    assert [point.ssl_options for point in parse("cassandra://127.0.0.1/").points()] == [None]


def test_tls_checks_the_certificate_and_the_name_in_it() -> None:
    context = parse("cassandra://localhost/?tls=true").context
    assert context is not None
    assert context.check_hostname
    assert context.verify_mode.name == "CERT_REQUIRED"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("tlsCaFile=x", 'unknown option "tlsCaFile"; did you mean "tlsCAFile"?'),
        ("tls=maybe", "neither true nor false"),
        ("tlsCAFile=/nowhere.pem", "cannot be read: no such file"),
    ],
)
def test_an_address_that_cannot_be_used_is_told_without_its_password(options: str, words: str) -> None:
    with pytest.raises(StatementFailed) as problem:
        parse(f"cassandra://user:s3cret@localhost/?{options}")
    assert words in str(problem.value)
    assert "s3cret" not in str(problem.value)


def answer(now: datetime = WHEN, token: str = "") -> dict[str, str]:
    """What a login sends after the server's nonce."""
    keys = SimpleNamespace(**{**vars(KEYS), "token": token})
    evaluate_challenge = SigV4Authenticator("us-west-2", keys, lambda: now).evaluate_challenge(
        f"nonce={NONCE},".encode()
    )
    return dict(part.split("=", 1) for part in evaluate_challenge.decode().split(","))


def test_a_login_begins_with_the_name_of_the_mechanism() -> None:
    assert SigV4Authenticator("us-west-2", KEYS).initial_response() == b"SigV4\0\0"


def test_a_signature_is_that_of_the_request_as_amazon_describes_it() -> None:
    query = (
        "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=UserID-1%2F20200609%2Fus-west-2%2Fcassandra%2Faws4_request"
        "&X-Amz-Date=2020-06-09T22%3A41%3A51.999Z&X-Amz-Expires=900"
    )
    request = f"PUT\n/authenticate\n{query}\nhost:cassandra\n\nhost\n{hashlib.sha256(NONCE.encode()).hexdigest()}"
    signed = "AWS4-HMAC-SHA256\n2020-06-09T22:41:51.999Z\n20200609/us-west-2/cassandra/aws4_request\n"
    signed += hashlib.sha256(request.encode()).hexdigest()
    key = b"AWS4UserSecretKey-1"
    for part in (b"20200609", b"us-west-2", b"cassandra", b"aws4_request"):
        key = hmac.new(key, part, "sha256").digest()
    assert answer() == {
        "signature": hmac.new(key, signed.encode(), "sha256").hexdigest(),
        "access_key": "UserID-1",
        "amzdate": "2020-06-09T22:41:51.999Z",
    }


@pytest.mark.parametrize("microseconds", [0, 1, 499, 999_499, 999_500, 999_999])
def test_the_time_has_three_digits_of_milliseconds(microseconds: int) -> None:
    amzdate = answer(WHEN.replace(microsecond=microseconds))["amzdate"]
    assert amzdate == f"2020-06-09T22:41:51.{microseconds // 1000:03d}Z"
    assert len(amzdate) == 24


def test_the_token_of_a_session_is_sent_along() -> None:
    assert answer(token="a+b/c")["session_token"] == "a+b/c"


def test_credentials_are_asked_for_anew_at_each_login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "first")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    provider = parse("cassandra://cassandra.us-west-2.amazonaws.com:9142/?tls=true&sigV4Region=us-west-2").login
    assert isinstance(provider, SigV4Provider)
    evaluate_challenge = provider.new_authenticator("host").evaluate_challenge(f"nonce={NONCE}".encode())
    assert b"access_key=first" in evaluate_challenge


def test_a_server_that_asks_for_no_signature_is_not_keyspaces() -> None:
    with pytest.raises(StatementFailed, match="not Amazon Keyspaces"):
        SigV4Authenticator("us-west-2", KEYS).evaluate_challenge(b"")
