"""The client that `runtime.open` takes for Redis."""

from typing import Any

from keywright.errors import UsageError
from keywright.ir.attribute import Scalar, Type
from keywright.ir.binding import Binding

from ..validate.clients import ExpectedClient


def _check_decoding(client: Any, bindings: list[Binding]) -> None:
    """Reject a client that decodes answers if a model has bytes, because decoding fails on bytes that are not UTF-8."""
    options = getattr(getattr(client, "connection_pool", None), "connection_kwargs", None)
    encoder = getattr(client, "encoder", None)  # the encoder of a cluster client
    decodes = options.get("decode_responses") if isinstance(options, dict) else None
    if True not in (decodes, getattr(encoder, "decode_responses", None)):
        return
    for binding in bindings:
        field = next((attribute.name for attribute in binding.entity.attributes if _holds_bytes(attribute.type)), None)
        if field is not None:
            problem = f'the client of redis= decodes answers, and "{binding.name}.{field}" is bytes'
            raise UsageError(problem, "remove decode_responses=True, or store the model on a separate server")


def _holds_bytes(kind: Type) -> bool:
    return isinstance(kind, Scalar) and kind.kind == "bytes"


CLIENT = ExpectedClient(
    "a redis.Redis, or a mapping from the names of servers to several",
    lookalikes=(
        ("redis", "ConnectionPool", "a pool; pass redis.Redis(connection_pool=pool)"),
        ("redis", "Sentinel", "a sentinel; pass sentinel.master_for(name)"),
        ("redis", "Pipeline", "a pipeline, which sends nothing before execute(); pass its client"),
    ),
    asynchronous=("redis.asyncio", "valkey.asyncio"),
    check=_check_decoding,
)
"""A client of redis-py."""
