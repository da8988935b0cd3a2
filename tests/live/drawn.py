"""Examples of a sweep of a real server: few, always the same ones, in every run; many others in `make truth`."""

import os
from typing import Any

from hypothesis import HealthCheck, Phase, settings

FACTOR = int(os.environ.get("KEYWRIGHT_EXAMPLES", "1"))
"""So many times as many examples as in every run."""


def drawn(count: int, **others: Any) -> settings:
    """Settings of a sweep of `count` examples, without shrinking, since each example takes a server seconds."""
    default: dict[str, Any] = {"phases": (Phase.explicit, Phase.generate), "database": None}
    return settings(
        max_examples=count * FACTOR, derandomize=FACTOR == 1, deadline=None, suppress_health_check=list(HealthCheck),
        **{**default, **others},
    )  # fmt: skip
