"""Items of a table page by page: segments of a scan, and conditional updates in batches."""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from keywright.declare.store import VERSION
from keywright.drivers.batches import batches
from keywright.drivers.dynamodb_values import key_from_json, key_to_json, native, plain
from keywright.engines.dynamodb import transform as compiler
from keywright.engines.interface import StatementFailed
from keywright.engines.pages import CONTENDED, WRITTEN, Change, Item, Outcome, Pages, Work
from keywright.engines.told_by import is_of
from keywright.ir.json import Json
from keywright.ir.transformed import REMOVED

KEYS_AT_ONCE = 100
"""Items that one BatchGetItem reads.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html, 2026-11-21."""

_AGAIN = frozenset(
    (
        "InternalServerError", "ProvisionedThroughputExceeded", "RequestLimitExceeded", "ThrottlingError",
        "TransactionConflict",
    )
)  # fmt: skip
"""What a statement is sent again for: the server had no time for it."""

_MANY = 12
"""How often, with growing pauses: about a minute together."""


def pages(asking: Any, work: Work) -> Pages:
    """The items of one entity in a table.

    Segments are those of a parallel scan, whose number is fixed with the pass; cursors and keys are keys of the table.
    """
    of = _Items(asking, work)
    return Pages(
        split=lambda count: tuple({"segment": at, "of": max(count, 1)} for at in range(max(count, 1))),
        page=of.page,
        find=of.find,
        write=of.write,
        form=lambda path, value: _held(compiler.form(path, value, work.types.get(path))),
        estimate=lambda: int(of.described["ItemCount"]) or None,
        keyed_by=of.keys,
        put=of.put,
        remove=lambda key: asking.delete_item(TableName=work.object, Key=key_from_json(key)) and None,
    )


def _held(value: Any) -> Any:
    """The value, if an item can hold it."""
    native(value)
    return value


class _Items:
    """A table, and what is done to the items in it."""

    def __init__(self, asking: Any, work: Work) -> None:
        self.asking, self.work = asking, work
        self.described = asking.describe_table(TableName=work.object)["Table"]
        self.keys = tuple(one["AttributeName"] for one in self.described["KeySchema"])
        self.attribute = work.attribute or VERSION
        mark = (work.mark[0],) if work.mark else ()
        tops = [path.partition(".")[0] for path in work.looked_at]
        names = dict.fromkeys((*self.keys, *tops, self.attribute, *mark))
        self.names = {f"#n{at}": name for at, name in enumerate(names)}
        self.shown = {"ProjectionExpression": ", ".join(self.names), "ExpressionAttributeNames": self.names}

    def page(self, segment: Any, cursor: Any, limit: int) -> tuple[tuple[Item, ...], Json]:
        """See `Pages.page`: one request of a scan, which looks at 1 MB at the most."""
        options = dict(self.shown)
        if cursor is not None:
            options["ExclusiveStartKey"] = key_from_json(cursor)
        options |= {"Segment": segment["segment"], "TotalSegments": segment["of"]}
        answer = self.asking.scan(TableName=self.work.object, Limit=limit, **options)
        last = answer.get("LastEvaluatedKey")
        items = (self.item(one) for one in answer["Items"] if self._is_ours(one))
        return tuple(items), None if last is None else key_to_json(last)

    def _is_ours(self, found: Mapping[str, Any]) -> bool:
        if self.work.mark:
            name, value = self.work.mark
            return bool(found.get(name) == {"S": value})
        texts = {argument: found[name].get("S") for argument, name in zip(("pk", "sk"), self.keys, strict=False)}
        return is_of(texts, self.work)

    def item(self, found: dict[str, Any]) -> Item:
        """An item; its handle is the native one."""
        values = {name: plain(value) for name, value in found.items()}
        version = values.get(self.attribute)
        is_number = isinstance(version, int) and not isinstance(version, bool)
        is_new = self.work.version is not None and is_number and version >= self.work.version  # type: ignore[operator]
        return Item(key_to_json({name: found[name] for name in self.keys}), values, is_new, handle=found)

    def find(self, keys: Sequence[Json]) -> tuple[Item | None, ...]:
        """See `Pages.find`: consistent reads."""
        found: dict[str, Item] = {}
        for batch in batches(keys, KEYS_AT_ONCE):
            wanted: Any = {"Keys": list(map(key_from_json, batch)), "ConsistentRead": True, **self.shown}
            waiting: Any = {self.work.object: wanted}
            for pause in _pauses():
                answer = self.asking.batch_get_item(RequestItems=waiting)
                items = map(self.item, answer["Responses"].get(self.work.object, ()))
                found.update((str(one.key), one) for one in items)
                if not (waiting := answer["UnprocessedKeys"]):
                    break
                time.sleep(pause)
        return tuple(found.get(str(self._ordered(key))) for key in keys)

    def _ordered(self, key: Any) -> Json:
        return {name: key[name] for name in self.keys}

    def put(self, item: Mapping[str, Any]) -> Json:
        """See `Pages.put`; the mark of the entity comes by itself."""
        mark = dict([self.work.mark] if self.work.mark else [])
        whole = {name: native(value) for name, value in {**mark, **item}.items()}
        if not self._is_ours(whole):
            raise ValueError("by its key or mark it is an item of another entity")
        self.asking.put_item(TableName=self.work.object, Item=whole)
        return key_to_json({name: whole[name] for name in self.keys})

    def write(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        """See `Pages.write`."""
        return tuple(outcome for batch in batches(changes, compiler.BATCH) for outcome in self._batch(batch))

    def _batch(self, changes: Sequence[Change]) -> Iterable[Outcome]:
        """One batch; statements for which the server had no time are sent again."""
        statements = [self._statement(one) for one in changes]
        outcomes: dict[int, Outcome] = {}
        waiting = list(range(len(statements)))
        for pause in _pauses():
            answers = self.asking.batch_execute_statement(Statements=[statements[at] for at in waiting])["Responses"]
            outcomes.update((at, _outcome(answer.get("Error"))) for at, answer in zip(waiting, answers, strict=True))
            waiting = [at for at in waiting if outcomes[at].reason in _AGAIN]
            if not waiting:
                break
            time.sleep(pause)
        return [outcomes[at] for at in range(len(statements))]

    def _statement(self, change: Change) -> dict[str, Json]:
        work, found = self.work, change.item.handle
        put = {path: native(value) for path, value in change.values.items() if value is not REMOVED}
        gone = [path for path, value in change.values.items() if value is REMOVED]
        versioned = () if work.version is None else (self.attribute,)
        if work.version is not None:
            put[self.attribute] = native(work.version)
        read = {path: _at(found, path) for path in (*versioned, *work.guarded) if path not in self.keys}
        return compiler.update(work.object, {name: found[name] for name in self.keys}, read, put, gone)


def _at(found: Any, path: str) -> Any:
    """The native value at a path; None where there is none."""
    first, *rest = path.split(".")
    value = found.get(first)
    for name in rest:
        value = value["M"].get(name) if value is not None and "M" in value else None
    return value


def _pauses() -> Iterable[float]:
    """Growing pauses, and StatementFailed behind the last."""
    for attempt in range(_MANY):
        yield min(0.05 * 2**attempt, 10)
    raise StatementFailed(f"the server had no time for a request {_MANY} times: lower the rate")


def _outcome(error: Any) -> Outcome:
    """What became of a statement; the server's words are left out, since they may quote the item."""
    if error is None:
        return WRITTEN
    code = error["Code"].removesuffix("Exception")
    if code in ("ConditionalCheckFailed", "DuplicateItem"):
        return CONTENDED
    return Outcome("rejected", code if code in _AGAIN else f"the server refuses it with {code}")
