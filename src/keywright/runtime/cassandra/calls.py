"""Planned patterns as functions that an application calls with its own client."""

from collections.abc import Mapping
from typing import Any

from keywright.access.search import Planned
from keywright.engines.cassandra.target import KeyspaceTarget
from keywright.runtime.codec import Call, Codec


def prepare(planned: Planned[KeyspaceTarget], codecs: Mapping[str, Codec[Any]]) -> Call:
    """See `runtime.codec.Call`."""
    raise NotImplementedError
