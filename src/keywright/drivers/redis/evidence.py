"""A Redis client that records every request, and the server's facts about the keys of these requests."""

from collections.abc import Sequence
from typing import Any

from keywright.drivers.translate_errors import not_installed
from keywright.engines.interface import ClientEvent
from keywright.engines.redis.access.keys import slot
from keywright.ir.json import Json

try:
    from redis import Redis
    from redis.client import Pipeline
    from redis.exceptions import ResponseError
except ImportError as error:
    raise not_installed("redis") from error

WORD_BYTES = 200
"""Longer words of a command are shortened: the evidence needs the command, not the data that it writes."""


class RecordingClient(Redis):
    """A client that records its requests, one event for each round trip."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.recorded: list[dict[str, Json]] = []
        super().__init__(*arguments, **options)

    def execute_command(self, *arguments: Any, **options: Any) -> Any:
        """See `redis.Redis.execute_command`."""
        try:
            answer: Any = super().execute_command(*arguments, **options)  # type: ignore[no-untyped-call]
        except ResponseError as error:
            self.recorded.append({**_event("command", [arguments], [None]), "error": str(error)[:WORD_BYTES]})
            raise
        self.recorded.append(_event("command", [arguments], [answer]))
        return answer

    def pipeline(self, transaction: Any = True, shard_hint: Any = None) -> Pipeline:
        """See `redis.Redis.pipeline`."""
        return _Recorded(self, transaction, shard_hint)


class _Recorded(Pipeline):
    """A pipeline of a recording client."""

    def __init__(self, client: RecordingClient, transaction: Any, shard_hint: Any) -> None:
        self._recorded = client.recorded
        super().__init__(client.connection_pool, client.response_callbacks, transaction, shard_hint)

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """See `redis.client.Pipeline.execute`."""
        sent = [words for words, _ in self.command_stack]
        is_whole: Any = self.transaction
        kind = "transaction" if is_whole else "pipeline"
        answers: list[Any] = super().execute(raise_on_error)
        self._recorded.append(_event(kind, sent, answers))
        return answers


def _event(kind: str, sent: Sequence[Sequence[Any]], answers: Sequence[Any]) -> dict[str, Json]:
    commands: list[Json] = [[_word(word) for word in words] for words in sent]
    counts: list[Json] = [elements(str(words[0]), answer) for words, answer in zip(sent, answers, strict=True)]
    return {"kind": kind, "commands": commands, "elements": counts}


def _word(word: Any) -> str:
    text = word.decode("utf-8", "replace") if isinstance(word, bytes) else str(word)
    return text if len(text) <= WORD_BYTES else f"{text[:WORD_BYTES]}..."


def elements(command: str, answer: Any) -> int:
    """The number of elements in an answer."""
    match command.upper():
        case "SSCAN" | "XAUTOCLAIM" if answer:
            return len(answer[1])
        case "XREADGROUP" if isinstance(answer, dict):
            return sum(len(part) for parts in answer.values() for part in parts)
        case "XREADGROUP" if answer:
            return sum(len(entries) for _, entries in answer)
        case "ZRANGE" if answer and not isinstance(answer[0], (list, tuple)):
            return len(answer) // 2
        case _:
            return len(answer) if isinstance(answer, (list, tuple, set, dict)) else int(answer is not None)


def explained(client: Redis, events: Sequence[dict[str, Json]]) -> tuple[ClientEvent, ...]:
    """The events with the keys of each command, their encodings by the server, and their slots."""
    commands: list[Any] = [words for event in events for words in event["commands"]]  # type: ignore[union-attr]
    keys = _keys(client, commands)
    encodings = _encodings(client, sorted({key for command_keys in keys for key in command_keys}))
    explained_events: list[ClientEvent] = []
    start = 0
    for event in events:
        count = len(event["commands"])  # type: ignore[arg-type]
        event_keys = keys[start : start + count]
        start += count
        key_names = dict.fromkeys(key for command_keys in event_keys for key in command_keys)
        explained_events.append(
            {
                **event,
                "keys": [list(command_keys) for command_keys in event_keys],
                "slots": {key: slot(key) for key in key_names},
                "encodings": {key: encodings[key] for key in key_names},
            }
        )
    return tuple(explained_events)


def _keys(client: Redis, commands: Sequence[Sequence[str]]) -> list[list[str]]:
    """The keys of each command by COMMAND GETKEYS; none for a command that has none."""
    pipeline: Any = client.pipeline(transaction=False)
    for words in commands:
        pipeline.execute_command("COMMAND GETKEYS", *words)
    answers = pipeline.execute(raise_on_error=False) if commands else []
    return [[str(key) for key in answer] if isinstance(answer, list) else [] for answer in answers]


def _encodings(client: Redis, keys: Sequence[str]) -> dict[str, str | None]:
    """The encoding of each key by OBJECT ENCODING; None for a missing key."""
    pipeline: Any = client.pipeline(transaction=False)
    for key in keys:
        pipeline.execute_command("OBJECT ENCODING", key)
    answers = pipeline.execute(raise_on_error=False) if keys else []
    return {key: answer if isinstance(answer, str) else None for key, answer in zip(keys, answers, strict=True)}
