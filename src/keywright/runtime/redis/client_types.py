"""The methods of an application's Redis client that calls use; `redis.Redis` and `redis.RedisCluster` have them."""

from collections.abc import Sequence
from typing import Any, Protocol


class RedisPipeline(Protocol):
    """Commands that are sent together."""

    def execute_command(self, *words: Any) -> Any:
        """Add a command."""

    def execute(self) -> Sequence[Any]:
        """Send the commands, and return their answers."""


class RedisClient(Protocol):
    """A client of one server or of a cluster."""

    def execute_command(self, *words: Any) -> Any:
        """Send a command, and return its answer."""

    def pipeline(self, *, transaction: bool) -> RedisPipeline:
        """An empty pipeline."""
