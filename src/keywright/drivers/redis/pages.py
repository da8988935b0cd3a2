"""Keys of a Redis server page by page: SCAN on each primary, and scripts that compare and set."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from keywright.declare.store import VERSION
from keywright.drivers.extras import not_installed
from keywright.engines.interface import StatementFailed
from keywright.engines.pages import CONTENDED, WRITTEN, Change, Item, Outcome, Pages, Work
from keywright.engines.redis import transform as compiler
from keywright.engines.told_by import is_of
from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.ir.transformed import REMOVED

try:
    from redis.exceptions import NoScriptError, ResponseError
except ImportError as error:
    raise not_installed("redis") from error

AT_ONCE = 1000
"""Commands that are sent together."""

SCANS = 100
"""Requests without a key of the entity after which a page is empty, so that others see that we live."""

KEY = "key"
"""What an item's key is called beside its values."""

TYPES = {"": "hash", "hash": "hash", "string": "string", "cache": "string", "counter": "string"}
"""The server's type of each structure whose items can be written in place."""


def pages(primaries: Sequence[Any], work: Work) -> Pages:
    """The keys of one entity.

    primaries: a client that does not decode answers for each primary. Segments are primaries, since SCAN has no parts;
    cursors are the server's own, with the run of the server that gave them: after a failover the primary begins anew.
    """
    if work.kind not in TYPES:
        raise UsageError(f"a {work.kind} is not written in place", "make a new one beside it")
    of = _Keys(primaries, work)
    return Pages(
        split=lambda count: tuple({"primary": at} for at in range(len(primaries))),
        page=of.page,
        find=of.find,
        write=of.write,
        form=lambda path, value: compiler.form(path, value, is_json=of.is_json),
        estimate=lambda: sum(int(one.dbsize()) for one in primaries) or None,
        keyed_by=(KEY,),
        put=of.put,
        remove=of.remove,
    )


class _Keys:
    """Some primaries, and what is done to the keys on them."""

    def __init__(self, primaries: Sequence[Any], work: Work) -> None:
        self.primaries, self.work = primaries, work
        self.type = TYPES[work.kind]
        self.is_json = self.type == "string" and not work.value
        self.attribute = work.attribute or VERSION
        self.fields = tuple(dict.fromkeys((*work.looked_at, self.attribute)))
        template = next((text for argument, text in work.keys if argument == "key"), "")
        self.match = compiler.match(template) if template else "*"

    def page(self, segment: Any, cursor: Any, limit: int) -> tuple[tuple[Item, ...], Json]:
        """See `Pages.page`."""
        at = segment["primary"]
        run = str(self.primaries[at].info("server")["run_id"])
        place = int(cursor["at"]) if cursor and cursor["run"] == run else 0
        keys: list[bytes] = []
        for _ in range(SCANS):
            place, found = self.primaries[at].scan(place, match=self.match, count=limit, _type=self.type)
            keys = [key for key in dict.fromkeys(found) if self._is_ours(key)]
            if keys or place == 0:
                break
        items = tuple(item for item in self._read(at, keys) if item is not None)
        return items, {"at": str(place), "run": run} if place else None

    def _is_ours(self, key: bytes) -> bool:
        try:
            return is_of({"key": key.decode()}, self.work)
        except UnicodeDecodeError:
            return False

    def _read(self, primary: int, keys: Sequence[bytes]) -> Iterable[Item | None]:
        """What stands at some keys; None where there is nothing."""
        commands = [("HMGET", key, *self.fields) if self.type == "hash" else ("GET", key) for key in keys]
        answers = self._sent(primary, [*commands, *(("EXISTS", key) for key in keys)])
        for key, answer, is_there in zip(keys, answers, answers[len(keys) :], strict=False):
            yield self._item(primary, key, answer) if is_there else None

    def _sent(self, primary: int, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        answers: list[Any] = []
        for at in range(0, len(commands), AT_ONCE):
            pipeline = self.primaries[primary].pipeline(transaction=False)
            for command in commands[at : at + AT_ONCE]:
                pipeline.execute_command(*command)
            answers += pipeline.execute(raise_on_error=False)
        return answers

    def _item(self, primary: int, key: bytes, answer: Any) -> Item | None:
        """An item; its handle is (primary, key, what was answered)."""
        named: Json = {"primary": primary, "key": key.decode()}
        handle = (primary, key, answer)
        if isinstance(answer, Exception) or answer is None:
            return None if answer is None else Item(named, {}, poison=f"it is no {self.type}", handle=handle)
        if self.type == "hash":
            values = {name: _text(one) for name, one in zip(self.fields, answer, strict=True) if one is not None}
        elif self.work.value:
            values = {self.work.value: _text(answer)}
        else:
            try:
                values = json.loads(answer)
            except ValueError:
                return Item(named, {}, poison="it is no JSON", handle=handle)
            if not isinstance(values, dict):
                return Item(named, {}, poison="it is no JSON object", handle=handle)
        version = str(values.get(self.attribute, ""))
        is_new = self.work.version is not None and version.isdecimal() and int(version) >= self.work.version
        return Item(named, values, is_new, handle=handle)

    def find(self, keys: Sequence[Any]) -> tuple[Item | None, ...]:
        """See `Pages.find`."""
        found: dict[tuple[int, str], Item | None] = {}
        for primary in {one["primary"] for one in keys}:
            names = [one["key"].encode() for one in keys if one["primary"] == primary]
            items = self._read(primary, names)
            found.update({(primary, name.decode()): item for name, item in zip(names, items, strict=True)})
        return tuple(found[one["primary"], one["key"]] for one in keys)

    def put(self, item: Mapping[str, Any]) -> Json:
        """See `Pages.put`; on the first primary, since servers for tests have one."""
        key = str(item[KEY]).encode()
        if not self._is_ours(key):
            raise ValueError("its key is not one that the template of the entity writes")
        values = {name: compiler.form(name, one, is_json=self.is_json) for name, one in item.items() if name != KEY}
        if self.work.value and values.keys() != {self.work.value}:
            raise ValueError(f'all that it holds is its "{self.work.value}"')
        if self.type == "hash":
            written = [("DEL", key), ("HSET", key, *(part for pair in values.items() for part in pair))]
        else:
            written = [("SET", key, values[self.work.value] if self.work.value else _dumped(values))]
        for answer in self._sent(0, written):
            if isinstance(answer, Exception):
                raise answer
        return {"primary": 0, "key": key.decode()}

    def remove(self, key: Any) -> None:
        """See `Pages.remove`."""
        self.primaries[key["primary"]].delete(key["key"])

    def write(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        """See `Pages.write`: one script for each key, sent together."""
        outcomes: dict[int, Outcome] = {}
        for primary in {one.item.handle[0] for one in changes}:
            places = [at for at, one in enumerate(changes) if one.item.handle[0] == primary]
            answers = self._scripted(primary, [self._arguments(changes[at]) for at in places])
            outcomes.update((at, _outcome(answer)) for at, answer in zip(places, answers, strict=True))
        return tuple(outcomes[at] for at in range(len(changes)))

    def _scripted(self, primary: int, calls: Sequence[tuple[bytes, list[Any]]]) -> list[Any]:
        script = compiler.HASH if self.type == "hash" else compiler.STRING
        sha = self.primaries[primary].script_load(script)
        answers = self._sent(primary, [("EVALSHA", sha, 1, key, *arguments) for key, arguments in calls])
        if any(isinstance(one, NoScriptError) for one in answers):  # flushed meanwhile: nothing ran
            raise StatementFailed("the server has forgotten the script: somebody flushed it, or another one took over")
        return answers

    def _arguments(self, change: Change) -> tuple[bytes, list[Any]]:
        _, key, answer = change.item.handle
        put = {path: value for path, value in change.values.items() if value is not REMOVED}
        gone = tuple(path for path, value in change.values.items() if value is REMOVED)
        if self.type == "hash":
            if self.work.version is not None:
                put[self.attribute] = str(self.work.version)
            raw = dict(zip(self.fields, answer, strict=True))
            versioned = () if self.work.version is None else (self.attribute,)
            read = {path: raw[path] for path in (*versioned, *self.work.guarded)}
            return key, compiler.hash_arguments(read, put, gone, VERSION)
        if self.work.value:
            return key, [answer, put.get(self.work.value, answer)]
        if self.work.version is not None:
            put[self.attribute] = self.work.version
        document = json.loads(answer)
        for path, value in (*put.items(), *((path, REMOVED) for path in gone)):
            _place(document, path, value)
        return key, [answer, _dumped(document)]


def _dumped(document: dict[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def _place(document: dict[str, Any], path: str, value: Any) -> None:
    *outer, last = path.split(".")
    for name in outer:
        document = document[name]
    if value is REMOVED:
        document.pop(last, None)
    else:
        document[last] = value


def _text(value: bytes) -> str | bytes:
    """Text where it is some, else the bytes."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _outcome(answer: Any) -> Outcome:
    if isinstance(answer, ResponseError):
        return Outcome("rejected", f"the server refuses it: {str(answer).partition(' ')[0]}")
    if isinstance(answer, Exception):
        raise answer
    return WRITTEN if answer else CONTENDED
