"""Logins to ElastiCache and MemoryDB with a signed request in place of a password.

The password is the address of a request that is never sent, signed by SigV4 and valid for fifteen minutes. The server
closes a connection twelve hours after its login; the client then logs in again with a new signature.
Source: https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/auth-iam.html and
https://docs.aws.amazon.com/memorydb/latest/devguide/auth-iam.html, 2026-11-22.
"""

from typing import Any
from urllib.parse import urlencode

from keywright.drivers.translate_errors import not_installed
from keywright.engines.interface import StatementFailed

try:
    from redis.credentials import CredentialProvider
except ImportError as error:
    raise not_installed("redis") from error

SERVICES = ("elasticache", "memorydb")
"""Services that accept such a login."""

SECONDS = 900
"""The longest validity of a signature; services reject more."""


class IamProvider(CredentialProvider):
    """Signs with boto3's credentials, again for each connection: `redis.Redis(credential_provider=...)`.

    cache: the name of the cache, replication group or cluster, in lower case. is_serverless: whether it is a serverless
    cache of ElastiCache. Raises StatementFailed if there are no credentials, or for a service outside SERVICES.
    """

    def __init__(
        self, user: str, cache: str, region: str, *, service: str = "elasticache", is_serverless: bool = False
    ) -> None:
        if service not in SERVICES:
            raise StatementFailed(f"iam_service of its address is neither {' nor '.join(SERVICES)}")
        try:
            import boto3
        except ImportError as error:
            raise not_installed("dynamodb") from error
        self._user, self._cache, self._region, self._service = user, cache.lower(), region, service
        self._kind = {"ResourceType": "ServerlessCache"} if is_serverless else {}
        self._session = boto3.Session()

    def get_credentials(self) -> tuple[str, str]:
        """See `CredentialProvider`."""
        from botocore.auth import SigV4QueryAuth
        from botocore.awsrequest import AWSRequest

        credentials: Any = self._session.get_credentials()
        if credentials is None:
            raise StatementFailed("no AWS credentials were found for the signature")
        query = urlencode({"Action": "connect", "User": self._user, **self._kind})
        request = AWSRequest("GET", f"http://{self._cache}/?{query}")
        keys = credentials.get_frozen_credentials()
        SigV4QueryAuth(keys, self._service, self._region, expires=SECONDS).add_auth(request)
        return self._user, str(request.url).removeprefix("http://")
