"""Planned patterns as functions that an application calls with its own client."""

from collections.abc import Mapping
from typing import Any

from keywright.access.search import Planned
from keywright.engines.mongodb.target import DatabaseTarget
from keywright.runtime.codec import Call, Codec


def prepare(planned: Planned[DatabaseTarget], codecs: Mapping[str, Codec[Any]]) -> Call:
    """See `runtime.codec.Call`."""
    raise NotImplementedError
