"""Commands that are sent together, for reads of a live server."""

from collections.abc import Sequence
from typing import Any

from keywright.drivers.translate_errors import not_installed

try:
    from redis.exceptions import NoPermissionError
except ImportError as error:
    raise not_installed("redis") from error

PAGE = 200
"""Keys that one SCAN examines; facts about as many are requested at once."""

DOCUMENT = "ReJSON-RL"
"""The server's type of a JSON document."""

LENGTHS = {
    "string": "STRLEN", "hash": "HLEN", "list": "LLEN", "set": "SCARD", "zset": "ZCARD", "stream": "XLEN",
}  # fmt: skip
"""Commands for the length of a value of each type, all in constant time."""


def sent(client: Any, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
    """The answers to some commands, errors included; raises NoPermissionError."""
    pipeline = client.pipeline(transaction=False)
    for command in commands:
        pipeline.execute_command(*command)
    answers = list(pipeline.execute(raise_on_error=False))
    permission_error = next((answer for answer in answers if isinstance(answer, NoPermissionError)), None)
    if permission_error is not None:
        raise permission_error
    return answers


def number(answer: Any) -> int:
    """A number in an answer; 0 for any other answer."""
    return answer if isinstance(answer, int) else 0
