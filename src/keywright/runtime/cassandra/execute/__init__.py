"""Converts planned patterns to functions that an application calls with its own session.

```python
call = prepare(planned, codecs)
call(session, Given({"sensor_id": "s-1", "day": "2026-11-21"}, limit=100))
```
"""

from collections.abc import Mapping
from typing import Any

from keywright.access.search import Planned
from keywright.engines.cassandra.access.calls import Select
from keywright.engines.cassandra.access.calls_write import Batch
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.runtime.items.codec import Codec, PatternFunction

from .reading import prepare_read
from .writing import prepare_batch, prepare_write


def prepare(planned: Planned[KeyspaceTarget], codecs: Mapping[str, Codec[Any]]) -> PatternFunction:
    """See `runtime.codec.Call`."""
    match planned.access_path.call:
        case Batch() as call:
            return prepare_batch(planned, call, [codecs[part.binding.name] for part in planned.parts])
        case Select() as call:
            return prepare_read(planned, call, codecs[planned.binding.name])
        case _:
            return prepare_write(planned, codecs[planned.binding.name])
