"""The client that `runtime.open` takes for DynamoDB."""

from typing import Any

from keywright.errors import UsageError
from keywright.ir.binding import Binding

from ..validate.clients import ExpectedClient


def _check_service(client: Any, bindings: list[Binding]) -> None:
    """Reject the client of another service."""
    service = getattr(getattr(getattr(client, "meta", None), "service_model", None), "service_name", "dynamodb")
    if isinstance(service, str) and service != "dynamodb":
        raise UsageError(f'runtime.open received a client of "{service}" for dynamodb=', CLIENT.description)


CLIENT = ExpectedClient(
    'a low-level client: boto3.client("dynamodb")',
    lookalikes=(
        ("boto3.resources", "", "a boto3 resource; pass its client: resource.meta.client"),
        ("boto3.session", "Session", 'a boto3 session; pass session.client("dynamodb")'),
        ("botocore.session", "Session", 'a botocore session; pass session.create_client("dynamodb")'),
    ),
    asynchronous=("aiobotocore", "aioboto3"),
    check=_check_service,
)
"""A client of boto3."""
