"""Pages of keys of a Redis server: SCAN on each primary, and scripts that compare and set."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from keywright.declare.store import VERSION
from keywright.drivers.redis.sending import DOCUMENT
from keywright.drivers.translate_errors import not_installed
from keywright.engines.contract.discriminators import is_of
from keywright.engines.contract.pages import (
    CONTENDED,
    MARK,
    WRITTEN,
    ChangeOutcome,
    ItemChange,
    Marks,
    Pages,
    StoredItem,
    Work,
)
from keywright.engines.interface import StatementFailed
from keywright.engines.redis.migrate import transform as compiler
from keywright.engines.redis.migrate.transform import OWN
from keywright.engines.redis.schema.place import template_key
from keywright.errors import UsageError
from keywright.ir.apply_transform import REMOVED
from keywright.ir.json import Json
from keywright.record import replace

try:
    from redis.exceptions import NoScriptError, ResponseError
except ImportError as error:
    raise not_installed("redis") from error

AT_ONCE = 1000
"""Commands that are sent together."""

SCANS = 100
"""Requests without a key of the entity after which an empty page is returned, so that the heartbeat continues."""

KEY = "key"
"""Name of an item's key beside its values."""

TYPES = {"": "hash", "hash": "hash", "string": "string", "cache": "string", "counter": "string", "json": DOCUMENT}
"""The server's type of each structure whose items can be written in place."""


def pages(primaries: Sequence[Any], work: Work) -> Pages:
    """The keys of one entity.

    primaries: a client for each primary that does not decode answers. Segments are primaries, because SCAN has no
    segments. Cursors are the server's own with the id of its run: after a failover the primary is read again from the
    start. Keys of structures that are not written in place have no values here.
    """
    if work.kind not in TYPES and (work.writes or work.stamp is not None):
        raise UsageError(f"a {work.kind} cannot be written in place", "create a new one beside it")
    keys = _Keys(primaries, work)
    return Pages(
        split=lambda count: tuple({"primary": at} for at in range(len(primaries))),
        page=keys.page,
        find=keys.find,
        write=keys.write,
        marks=Marks(clear=keys.clear),
        form=lambda path, value: compiler.form(path, value, work.types.get(path), is_json=keys.is_json),
        estimate=lambda: sum(int(primary.dbsize()) for primary in primaries) or None,
        keyed_by=(KEY,),
        put=keys.put,
        remove=keys.remove,
    )


class _Keys:
    """The operations of `Pages` on the keys of some primaries."""

    def __init__(self, primaries: Sequence[Any], work: Work) -> None:
        self.primaries, self.work = primaries, work
        self.type = TYPES.get(work.kind, "")
        self.is_json = self.type in ("string", DOCUMENT) and not work.value
        self.attribute = work.attribute or (MARK if work.once else VERSION)
        self.has_mark_keys = bool(work.once) and self.type in ("string", DOCUMENT)
        self.fields = tuple(dict.fromkeys((*work.read_paths, self.attribute)))
        template = next((text for argument, text in work.keys if argument == "key"), "")
        self.match = compiler.match(template) if template else "*"

    def page(self, segment: Any, cursor: Any, limit: int) -> tuple[tuple[StoredItem, ...], Json]:
        """See `Pages.page`."""
        primary = segment["primary"]
        run = str(self.primaries[primary].info("server")["run_id"])
        place = int(cursor["at"]) if cursor and cursor["run"] == run else 0
        keys: list[bytes] = []
        for _ in range(SCANS):
            place, scanned = self.primaries[primary].scan(place, match=self.match, count=limit, _type=self.type or None)
            keys = [key for key in dict.fromkeys(scanned) if self._is_ours(key)]
            if keys or place == 0:
                break
        items = tuple(item for item in self._read(primary, keys) if item is not None)
        return items, {"at": str(place), "run": run} if place else None

    def _is_ours(self, key: bytes) -> bool:
        try:
            return not key.startswith(OWN) and is_of({"key": template_key(key.decode(), self.work)}, self.work)
        except UnicodeDecodeError:
            return False

    def _read(self, primary: int, keys: Sequence[bytes]) -> Iterable[StoredItem | None]:
        """The items at some keys; None for a missing key."""
        command_name = {"hash": "HMGET", "string": "GET", DOCUMENT: "JSON.GET"}.get(self.type, "EXISTS")
        if self.work.kind == "stream":
            command_name = "XLEN"  # consumer groups keep a stream without entries
        fields = self.fields if self.type == "hash" else ()
        commands = [(command_name, key, *fields) for key in keys]
        count = len(keys)
        marks = [("EXISTS", compiler.mark_key(key, self.work.once)) for key in keys] if self.has_mark_keys else []
        answers = self._sent(primary, [*commands, *(("EXISTS", key) for key in keys), *marks])
        marked = answers[2 * count :] or [0] * count
        for key, answer, is_there, is_marked in zip(keys, answers, answers[count:], marked, strict=False):
            item = self._item(primary, key, answer) if is_there else None
            yield replace(item, is_new=True) if item and is_marked == 1 else item

    def _sent(self, primary: int, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        answers: list[Any] = []
        for start in range(0, len(commands), AT_ONCE):
            pipeline = self.primaries[primary].pipeline(transaction=False)
            for command in commands[start : start + AT_ONCE]:
                pipeline.execute_command(*command)
            answers += pipeline.execute(raise_on_error=False)
        return answers

    def _item(self, primary: int, key: bytes, answer: Any) -> StoredItem | None:
        """An item; its handle is (primary, key, answer)."""
        place: Json = {"primary": primary, "key": key.decode()}
        handle = (primary, key, answer)
        if isinstance(answer, Exception) or answer is None:
            kind = self.type or self.work.kind
            return None if answer is None else StoredItem(place, {}, poison=f"it is not a {kind}", handle=handle)
        if not self.type:
            return StoredItem(place, {}, handle=handle) if answer else None
        if self.type == "hash":
            values = {name: _text(value) for name, value in zip(self.fields, answer, strict=True) if value is not None}
        elif self.work.value:
            values = {self.work.value: _text(answer)}
        else:
            try:
                values = json.loads(answer)
            except ValueError:
                return StoredItem(place, {}, poison="it is not JSON", handle=handle)
            if not isinstance(values, dict):
                return StoredItem(place, {}, poison="it is not a JSON object", handle=handle)
        stamp: Any = values.get(self.attribute)
        if self.work.version is not None:
            stamp = int(str(stamp)) if str(stamp).isdecimal() else None
        return StoredItem(place, values, self.work.is_processed(stamp), handle=handle)

    def find(self, keys: Sequence[Any]) -> tuple[StoredItem | None, ...]:
        """See `Pages.find`."""
        stored_items: dict[tuple[int, str], StoredItem | None] = {}
        for primary in {key["primary"] for key in keys}:
            names = [key["key"].encode() for key in keys if key["primary"] == primary]
            items = self._read(primary, names)
            stored_items.update({(primary, name.decode()): item for name, item in zip(names, items, strict=True)})
        return tuple(stored_items[key["primary"], key["key"]] for key in keys)

    def put(self, item: Mapping[str, Any]) -> Json:
        """See `Pages.put`; on the first primary, because servers for tests have one."""
        key = str(item[KEY]).encode()
        if not self._is_ours(key):
            raise ValueError("its key does not match the key template of the entity")
        values = {
            name: compiler.form(name, value, self.work.types.get(name), is_json=self.is_json)
            for name, value in item.items()
            if name != KEY
        }
        if self.work.value and values.keys() != {self.work.value}:
            raise ValueError(f'its only content is its "{self.work.value}"')
        if self.type == "hash":
            written = [("DEL", key), ("HSET", key, *(part for pair in values.items() for part in pair))]
        elif self.type == DOCUMENT:
            written = [("JSON.SET", key, "$", _dumped(values))]
        else:
            written = [("SET", key, values[self.work.value] if self.work.value else _dumped(values))]
        for answer in self._sent(0, written):
            if isinstance(answer, Exception):
                raise answer
        return {"primary": 0, "key": key.decode()}

    def remove(self, key: Any) -> None:
        """See `Pages.remove`."""
        self.primaries[key["primary"]].delete(key["key"])

    def write(self, changes: Sequence[ItemChange]) -> tuple[ChangeOutcome, ...]:
        """See `Pages.write`: one script for each key, sent together."""
        outcomes: dict[int, ChangeOutcome] = {}
        for primary in {change.item.handle[0] for change in changes}:
            indexes = [index for index, change in enumerate(changes) if change.item.handle[0] == primary]
            answers = self._scripted(primary, [self._arguments(changes[index]) for index in indexes])
            outcomes.update((index, _outcome(answer)) for index, answer in zip(indexes, answers, strict=True))
        return tuple(outcomes[index] for index in range(len(changes)))

    def _scripted(self, primary: int, calls: Sequence[tuple[bytes, list[Any]]]) -> list[Any]:
        script = {"hash": compiler.HASH, DOCUMENT: compiler.DOCUMENT}.get(self.type, compiler.STRING)
        sha = self.primaries[primary].script_load(script)
        commands: list[tuple[Any, ...]] = []
        for key, arguments in calls:
            marks = (compiler.mark_key(key, self.work.once),) if self.has_mark_keys else ()
            commands.append(("EVALSHA", sha, 1 + len(marks), key, *marks, *arguments))
        answers = self._sent(primary, commands)
        if any(isinstance(answer, NoScriptError) for answer in answers):  # flushed in the meantime: nothing ran
            raise StatementFailed("the server has lost the script: it was flushed, or another server took over")
        return answers

    def _arguments(self, change: ItemChange) -> tuple[bytes, list[Any]]:
        _, key, answer = change.item.handle
        put = {path: value for path, value in change.values.items() if value is not REMOVED}
        removed = tuple(path for path, value in change.values.items() if value is REMOVED)
        if self.type == "hash":
            if self.work.stamp is not None:
                put[self.attribute] = str(self.work.stamp)
            raw = dict(zip(self.fields, answer, strict=True))
            stamped = () if self.work.stamp is None else (self.attribute,)
            read = {path: raw[path] for path in (*stamped, *self.work.guarded)}
            return key, compiler.hash_arguments(read, put, removed, VERSION)
        if self.work.value:
            return key, [answer, put.get(self.work.value, answer)]
        if self.work.version is not None:
            put[self.attribute] = self.work.version
        document = json.loads(answer)
        for path, value in (*put.items(), *((path, REMOVED) for path in removed)):
            _place(document, path, value)
        return key, [answer, _dumped(document)]

    def clear(self, segment: Any, cursor: Any, limit: int) -> Json:
        """See `Marks.clear`."""
        primary = segment["primary"]
        if self.has_mark_keys:
            place, scanned = self.primaries[primary].scan(
                int(cursor or 0), match=compiler.match(compiler.mark_keys(self.work.once)), count=limit
            )
            if scanned:
                self._sent(primary, [("UNLINK", key) for key in scanned])
            return str(place) if place else None
        items, after = self.page(segment, cursor, limit)
        read = {self.attribute: self.work.once}
        arguments = compiler.hash_arguments(read, {}, (self.attribute,), VERSION)
        for answer in self._scripted(primary, [(item.handle[1], arguments) for item in items if item.is_new]):
            if isinstance(answer, Exception):
                raise answer
        return after


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
    """The value as text; as bytes if it is no text."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _outcome(answer: Any) -> ChangeOutcome:
    if isinstance(answer, ResponseError):
        return ChangeOutcome("rejected", f"the server rejects it: {str(answer).partition(' ')[0]}")
    if isinstance(answer, Exception):
        raise answer
    return WRITTEN if answer else CONTENDED
