"""The calls of commands that a server has counted, as evidence for access patterns."""

from typing import Any

from keywright.drivers.translate_errors import not_installed
from keywright.engines.contract.observer import CommandCalls

try:
    from redis.exceptions import ResponseError
except ImportError as error:
    raise not_installed("redis") from error

_PREFIX = "cmdstat_"
_SECONDS_OF_DAY = 86_400


def command_calls(client: Any) -> CommandCalls | None:
    """The calls of each command; None if the user may not read them.

    A server counts from its start, or from CONFIG RESETSTAT, which it counts too. Before Redis 7.0 the count of CONFIG
    does not show the subcommand, so that the number of days is unknown.
    Source: https://redis.io/docs/latest/commands/info, "commandstats", 2026-11-28.
    """
    try:
        statistics, info = client.info("commandstats"), client.info()
    except ResponseError:
        return None
    names = {name.removeprefix(_PREFIX): value["calls"] for name, value in statistics.items()}
    calls: dict[str, int] = {}
    for name, number in names.items():
        command = name.partition("|")[0].upper()
        calls[command] = calls.get(command, 0) + number
    is_reset = "config" in names or "config|resetstat" in names
    days = None if is_reset else info.get("uptime_in_seconds", 0) / _SECONDS_OF_DAY
    has_replicas = bool(info.get("connected_slaves")) or info.get("role") != "master"
    return CommandCalls(calls, days, is_partial=has_replicas or bool(info.get("cluster_enabled")))
