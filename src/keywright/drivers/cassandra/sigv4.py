"""Login to Amazon Keyspaces by a signature instead of a password.

The server sends a nonce, and the client answers with the signature of a request. Amazon's plugin writes the time with
four digits of milliseconds once in two thousand logins, which then fail. This module cuts the milliseconds off.
Source: https://docs.aws.amazon.com/keyspaces/latest/devguide/programmatic.credentials.SigV4_KEYSPACES.html, and
https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html, 2026-11-22.
"""

import hashlib
import hmac
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from keywright.drivers.translate_errors import not_installed
from keywright.engines.interface import StatementFailed

try:
    from cassandra.auth import Authenticator, AuthProvider
except ImportError as error:
    raise not_installed("cassandra") from error

ALGORITHM, SERVICE = "AWS4-HMAC-SHA256", "cassandra"
NONCE = 32
"""Characters of a nonce."""


class SigV4Provider(AuthProvider):  # type: ignore[misc]  # the client has no types
    """Signs with the credentials that boto3 finds at each login, because credentials may expire."""

    def __init__(self, region: str) -> None:
        try:
            import boto3
        except ImportError as error:
            raise not_installed("dynamodb") from error
        self._region, self._session = region, boto3.Session()

    def new_authenticator(self, host: str) -> Any:
        """See `AuthProvider`."""
        credentials = self._session.get_credentials()
        if credentials is None:
            raise StatementFailed("no AWS credentials were found for the signature")
        return SigV4Authenticator(self._region, credentials.get_frozen_credentials())


class SigV4Authenticator(Authenticator):  # type: ignore[misc]  # the client has no types
    """A login."""

    def __init__(self, region: str, credentials: Any, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._region, self._credentials, self._now = region, credentials, now

    def initial_response(self) -> bytes:
        """See `Authenticator`."""
        return b"SigV4\0\0"

    def evaluate_challenge(self, challenge: bytes) -> bytes:
        """See `Authenticator`."""
        _, separator, nonce = challenge.partition(b"nonce=")
        if not separator:
            raise StatementFailed("the server requests no signature: it is not Amazon Keyspaces")
        now, key = self._now(), self._credentials
        answer = f"signature={self._signature(nonce[:NONCE], now)},access_key={key.access_key},amzdate={_time(now)}"
        return (answer + (f",session_token={key.token}" if key.token else "")).encode()

    def _signature(self, nonce: bytes, now: datetime) -> str:
        day = now.strftime("%Y%m%d")
        scope = f"{day}/{self._region}/{SERVICE}/aws4_request"
        query = {
            "X-Amz-Algorithm": ALGORITHM,
            "X-Amz-Credential": f"{self._credentials.access_key}/{scope}",
            "X-Amz-Date": _time(now),
            "X-Amz-Expires": "900",
        }
        text = "&".join(f"{name}={quote(value, safe='')}" for name, value in sorted(query.items()))
        request = f"PUT\n/authenticate\n{text}\nhost:{SERVICE}\n\nhost\n{hashlib.sha256(nonce).hexdigest()}"
        signed = "\n".join((ALGORITHM, _time(now), scope, hashlib.sha256(request.encode()).hexdigest()))
        key = f"AWS4{self._credentials.secret_key}".encode()
        for part in (day, self._region, SERVICE, "aws4_request"):
            key = hmac.digest(key, part.encode(), "sha256")
        return hmac.digest(key, signed.encode(), "sha256").hex()


def _time(now: datetime) -> str:
    return f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z"
