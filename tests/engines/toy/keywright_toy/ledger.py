"""Histories of migrations: rows and one lock for each store, beside the boxes."""

from datetime import UTC, datetime
from typing import Any

from keywright.engines.contract.ledger import UNHELD, Ledger, Lock
from keywright.ir.json import Json

from .shelf import Shelf


def ledger(shelf: Shelf, home: str, store: str) -> Ledger:
    """The history of a store under a name in the file."""
    name = f"{home}/{store}"

    def history(content: dict[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = content["histories"].get(name, {"lock": [None, 0, 0], "rows": {}})
        return result

    def prepare(content: dict[str, Any]) -> None:
        content["histories"][name] = history(content)

    def swap(content: dict[str, Any], seen: Lock, new: Lock) -> bool:
        if lock(content) != seen or name not in content["histories"]:
            return False
        content["histories"][name]["lock"] = [new.owner, new.fence, new.beat]
        return True

    def lock(content: dict[str, Any]) -> Lock:
        return Lock(*history(content)["lock"]) if name in content["histories"] else UNHELD

    def put(content: dict[str, Any], key: str, row: Json, fence: int) -> bool:
        if lock(content).fence != fence or name not in content["histories"]:
            return False
        content["histories"][name]["rows"][key] = row
        return True

    def replace(content: dict[str, Any], key: str, before: Json, after: Json, fence: int) -> bool:
        return history(content)["rows"].get(key) == before and put(content, key, after, fence)

    def rows(prefix: str) -> dict[str, Json]:
        return {key: row for key, row in sorted(history(shelf.read())["rows"].items()) if key.startswith(prefix)}

    return Ledger(
        place=f'history "{name}"',
        prepare=lambda: shelf.change(prepare),
        lock=lambda: lock(shelf.read()),
        swap=lambda seen, new: shelf.change(lambda content: swap(content, seen, new)),
        rows=rows,
        row=lambda key: history(shelf.read())["rows"].get(key),
        put=lambda key, row, fence: shelf.change(lambda content: put(content, key, row, fence)),
        replace=lambda key, before, after, fence: shelf.change(
            lambda content: replace(content, key, before, after, fence)
        ),
        now=lambda: datetime.now(UTC),
    )
