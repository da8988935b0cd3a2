"""When a client of MongoDB stops waiting for servers whose certificates are not accepted."""

import threading
from types import SimpleNamespace

import pytest

from keywright.drivers.mongodb import certificates
from keywright.drivers.mongodb.certificates import FirstAnswers, is_secured

ONE, TWO = ("one", 1), ("two", 2)
REFUSED = OSError("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1)")
DOWN = OSError("[Errno 111] Connection refused")


@pytest.mark.parametrize(
    ("failures", "is_rejected"),
    [
        ({ONE: REFUSED, TWO: REFUSED}, True),
        ({ONE: REFUSED, TWO: DOWN}, False),
        ({ONE: REFUSED}, False),
        ({}, False),
    ],
)
def test_all_servers_must_have_been_refused(
    failures: dict[tuple[str, int], OSError], is_rejected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificates, "SECONDS", 0.01)
    first = FirstAnswers()
    for server, failure in failures.items():
        first.failed(SimpleNamespace(connection_id=server, reply=failure))
    assert (first.refused((ONE, TWO)) is REFUSED) is is_rejected


def test_one_that_answers_is_enough() -> None:
    first = FirstAnswers()
    first.failed(SimpleNamespace(connection_id=ONE, reply=REFUSED))
    threading.Timer(0.05, first.succeeded, [SimpleNamespace(connection_id=TWO)]).start()
    assert first.refused((ONE, TWO)) is None


@pytest.mark.parametrize(
    ("address", "secured"),
    [
        ("mongodb://a", False), ("mongodb://a/?tls=true", True), ("mongodb://a/?SSL=TRUE", True),
        ("mongodb+srv://a", True), ("mongodb+srv://a/?tls=false", False), ("mongodb://a/?tls=false", False),
    ],
)  # fmt: skip
def test_tls_is_asked_for_by_the_address(address: str, secured: bool) -> None:
    assert is_secured(address) is secured
