"""Planned patterns as functions that an application calls with its own session.

```python
call = prepare(planned, codecs)
call(session, Given({"sensor_id": "s-1", "day": "2026-11-21"}, limit=100))
```
"""

from collections.abc import Mapping
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.cassandra.access.calls import Select
from keywright.engines.cassandra.access.calls_write import Batch
from keywright.engines.cassandra.target import KeyspaceTarget
from keywright.runtime.codec import Call, Codec

from .reading import prepare_read
from .writing import prepare_batch, prepare_write


def prepare(planned: Planned[KeyspaceTarget], codecs: Mapping[str, Codec[Any]]) -> Call:
    """See `runtime.codec.Call`."""
    assert isinstance(planned.path, AccessPath)
    match planned.path.call:
        case Batch() as call:
            return prepare_batch(planned, call, [codecs[part.binding.name] for part in planned.parts])
        case Select() as call:
            return prepare_read(planned, call, codecs[planned.binding.name])
        case _:
            return prepare_write(planned, codecs[planned.binding.name])
