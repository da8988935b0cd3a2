"""Items of a table page by page, by segments of a scan, and conditional updates in batches."""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from keywright.declare.store import VERSION
from keywright.drivers.batches import batches
from keywright.drivers.dynamodb.values import key_from_json, key_to_json, native, plain
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
from keywright.engines.dynamodb.migrate import transform as compiler
from keywright.engines.interface import StatementFailed
from keywright.ir.apply_transform import REMOVED
from keywright.ir.json import Json

KEYS_AT_ONCE = 100
"""Items of one BatchGetItem.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html, 2026-11-21."""

_BUSY = frozenset(
    (
        "InternalServerError", "ProvisionedThroughputExceeded", "RequestLimitExceeded", "ThrottlingError",
        "TransactionConflict",
    )
)  # fmt: skip
"""Error codes after which a statement is repeated: the server was too busy."""

_ATTEMPTS = 12
"""Most attempts with growing pauses: about a minute in total."""


def pages(client: Any, work: Work) -> Pages:
    """Items of one entity in a table.

    Segments are those of a parallel scan, whose number is fixed for the pass; cursors and keys are keys of the table.
    """
    items = _Items(client, work)
    return Pages(
        split=lambda count: tuple({"segment": segment, "of": max(count, 1)} for segment in range(max(count, 1))),
        page=items.page,
        find=items.find,
        write=items.write,
        marks=Marks(clear=items.clear),
        form=lambda path, value: _checked(compiler.form(path, value, work.types.get(path))),
        estimate=lambda: int(items.described["ItemCount"]) or None,
        keyed_by=items.keys,
        put=items.put,
        remove=lambda key: client.delete_item(TableName=work.object, Key=key_from_json(key)) and None,
    )


def _checked(value: Any) -> Any:
    """The value; raises if an item cannot store it."""
    native(value)
    return value


class _Items:
    """A table, and the operations on its items."""

    def __init__(self, client: Any, work: Work) -> None:
        self.client, self.work = client, work
        self.described = client.describe_table(TableName=work.object)["Table"]
        self.keys = tuple(part["AttributeName"] for part in self.described["KeySchema"])
        self.attribute = work.attribute or (MARK if work.once else VERSION)
        discriminator = (work.discriminator.attribute,) if work.discriminator else ()
        tops = [path.partition(".")[0] for path in work.read_paths]
        names = dict.fromkeys((*self.keys, *tops, self.attribute, *discriminator))
        self.names = {f"#n{position}": name for position, name in enumerate(names)}
        self.shown = {"ProjectionExpression": ", ".join(self.names), "ExpressionAttributeNames": self.names}

    def page(self, segment: Any, cursor: Any, limit: int) -> tuple[tuple[StoredItem, ...], Json]:
        """See `Pages.page`: one request of a scan, which examines 1 MB at most."""
        options = dict(self.shown)
        if cursor is not None:
            options["ExclusiveStartKey"] = key_from_json(cursor)
        options |= {"Segment": segment["segment"], "TotalSegments": segment["of"]}
        answer = self.client.scan(TableName=self.work.object, Limit=limit, **options)
        last = answer.get("LastEvaluatedKey")
        items = (self.item(item) for item in answer["Items"] if self._is_ours(item))
        return tuple(items), None if last is None else key_to_json(last)

    def _is_ours(self, item: Mapping[str, Any]) -> bool:
        if (discriminator := self.work.discriminator) is not None:
            return item.get(discriminator.attribute) in [{"S": value} for value in discriminator.values]
        texts = {argument: item[name].get("S") for argument, name in zip(("pk", "sk"), self.keys, strict=False)}
        return is_of(texts, self.work)

    def item(self, native_item: dict[str, Any]) -> StoredItem:
        """Item whose handle is the native one."""
        values = {name: plain(value) for name, value in native_item.items()}
        is_new = self.work.is_processed(values.get(self.attribute))
        return StoredItem(
            key_to_json({name: native_item[name] for name in self.keys}), values, is_new, handle=native_item
        )

    def find(self, keys: Sequence[Json]) -> tuple[StoredItem | None, ...]:
        """See `Pages.find`: consistent reads."""
        stored_items: dict[str, StoredItem] = {}
        for batch in batches(keys, KEYS_AT_ONCE):
            request: Any = {"Keys": list(map(key_from_json, batch)), "ConsistentRead": True, **self.shown}
            pending: Any = {self.work.object: request}
            for pause in _pauses():
                answer = self.client.batch_get_item(RequestItems=pending)
                items = map(self.item, answer["Responses"].get(self.work.object, ()))
                stored_items.update((str(item.key), item) for item in items)
                if not (pending := answer["UnprocessedKeys"]):
                    break
                time.sleep(pause)
        return tuple(stored_items.get(str(self._ordered(key))) for key in keys)

    def _ordered(self, key: Any) -> Json:
        return {name: key[name] for name in self.keys}

    def put(self, item: Mapping[str, Any]) -> Json:
        """See `Pages.put`; the entity's discriminator is added."""
        own = {discriminator.attribute: discriminator.value} if (discriminator := self.work.discriminator) else {}
        native_item = {name: native(value) for name, value in {**own, **item}.items()}
        if not self._is_ours(native_item):
            raise ValueError("its key or discriminator is of another entity")
        self.client.put_item(TableName=self.work.object, Item=native_item)
        return key_to_json({name: native_item[name] for name in self.keys})

    def write(self, changes: Sequence[ItemChange]) -> tuple[ChangeOutcome, ...]:
        """See `Pages.write`."""
        return tuple(outcome for batch in batches(changes, compiler.BATCH) for outcome in self._batch(batch))

    def _batch(self, changes: Sequence[ItemChange]) -> Iterable[ChangeOutcome]:
        """One batch; statements that the server was too busy for are sent again."""
        return self._sent([self._statement(change) for change in changes])

    def _sent(self, statements: Sequence[dict[str, Json]]) -> Iterable[ChangeOutcome]:
        outcomes: dict[int, ChangeOutcome] = {}
        pending = list(range(len(statements)))
        for pause in _pauses():
            request = [statements[position] for position in pending]
            answers = self.client.batch_execute_statement(Statements=request)["Responses"]
            outcomes.update(
                (position, _outcome(answer.get("Error"))) for position, answer in zip(pending, answers, strict=True)
            )
            pending = [position for position in pending if outcomes[position].reason in _BUSY]
            if not pending:
                break
            time.sleep(pause)
        return [outcomes[position] for position in range(len(statements))]

    def _statement(self, change: ItemChange) -> dict[str, Json]:
        work, native_item = self.work, change.item.handle
        put = {path: native(value) for path, value in change.values.items() if value is not REMOVED}
        removed = [path for path, value in change.values.items() if value is REMOVED]
        stamped = () if work.stamp is None else (self.attribute,)
        if work.stamp is not None:
            put[self.attribute] = native(work.stamp)
        read = {path: _value_at(native_item, path) for path in (*stamped, *work.guarded) if path not in self.keys}
        return compiler.update(work.object, {name: native_item[name] for name in self.keys}, read, put, removed)

    def clear(self, segment: Any, cursor: Any, limit: int) -> Json:
        """See `Marks.clear`."""
        items, next_cursor = self.page(segment, cursor, limit)
        marker = {self.attribute: native(self.work.once)}
        statements = [
            compiler.update(self.work.object, {name: item.handle[name] for name in self.keys}, marker, {}, marker)
            for item in items
            if item.is_new
        ]
        for batch in batches(statements, compiler.BATCH):
            if any(outcome.kind == "rejected" for outcome in self._sent(batch)):
                raise StatementFailed("the server rejects the removal of the mark from an item")
        return next_cursor


def _value_at(item: Any, path: str) -> Any:
    """Native value at a path; None if there is none."""
    first, *rest = path.split(".")
    value = item.get(first)
    for name in rest:
        value = value["M"].get(name) if value is not None and "M" in value else None
    return value


def _pauses() -> Iterable[float]:
    """Growing pauses; raises StatementFailed after the last."""
    for attempt in range(_ATTEMPTS):
        yield min(0.05 * 2**attempt, 10)
    raise StatementFailed(f"the server throttled a request {_ATTEMPTS} times: lower the rate")


def _outcome(error: Any) -> ChangeOutcome:
    """Outcome of a statement; the server's message is omitted, because it may quote the item."""
    if error is None:
        return WRITTEN
    code = error["Code"].removesuffix("Exception")
    if code in ("ConditionalCheckFailed", "DuplicateItem"):
        return CONTENDED
    return ChangeOutcome("rejected", code if code in _BUSY else f"the server rejects it with {code}")
