"""Access paths that a local replacement for DynamoDB cannot serve, although DynamoDB can."""

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.ir.text import counted

from ..schema.target import TableTarget
from .calls import QueryItems, QueryTogether

DYNOXIDE = "dynoxide"
"""Prefix of the version that dynoxide reports, such as `dynoxide 1.2.1`."""

KEY_PARTS = 2
"""Most key attributes of an index that dynoxide 1.2.1 can query; it creates indexes with more.
Source: the ValidationException of its Query operation, https://github.com/nubo-db/dynoxide, 2026-11-22."""


def unanswered(planned: Planned[TableTarget], version: str) -> str:
    """Reason why a local server cannot answer a served pattern; empty if it can."""
    if not version.startswith(DYNOXIDE) or not isinstance(planned.path, AccessPath):
        return ""
    call = planned.path.call.query if isinstance(planned.path.call, QueryTogether) else planned.path.call
    name = call.index if isinstance(call, QueryItems) else ""
    index = next((index for index in planned.target.indexes if index.name == name), None)
    if index is None or len(index.keys) <= KEY_PARTS:
        return ""
    return f'{version} answers no query of index "{name}", whose key has {counted(len(index.keys), "attribute")}'
