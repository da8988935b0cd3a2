"""A history in memory, which fails where a test says so."""

import json
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar

from keywright.engines.contract.ledger import UNHELD, Ledger, Lock
from keywright.engines.interface import StatementFailed
from keywright.ir.json import Json, canonical

R = TypeVar("R")


@dataclass
class MemoryLedger:
    """What is kept, and what was asked of it; may be used by several threads."""

    state: Lock = UNHELD
    """The lock; a test may set it as if somebody else had."""
    texts: dict[str, str] = field(default_factory=dict)
    """The rows as text, by key."""
    is_prepared: bool = False
    """Whether there is anything to keep them in."""
    calls: list[str] = field(default_factory=list)
    """Names of the functions that were called, in order, those that failed included."""
    before: Callable[[str], None] = lambda call: None
    """Called with a function's name before it does anything."""
    after: Callable[[str], None] = lambda call: None
    """Called with a function's name when it has taken effect, but has not answered."""
    _refused: Counter[str] = field(default_factory=Counter)
    _unanswered: Counter[str] = field(default_factory=Counter)
    _mutex: threading.RLock = field(default_factory=threading.RLock)

    def refuse(self, call: str, times: int = 1) -> None:
        """Have the next calls of a function fail without effect."""
        self._refused[call] += times

    def lose_answers(self, call: str, times: int = 1) -> None:
        """Have the next calls of a function, of those that are not refused, take effect and fail all the same."""
        self._unanswered[call] += times

    def row(self, key: str) -> Json:
        """A row; None if there is none."""
        return json.loads(self.texts[key]) if key in self.texts else None  # type: ignore[no-any-return]

    @property
    def ledger(self) -> Ledger:
        """What `history` takes."""
        return Ledger(
            place="memory",
            prepare=lambda: self._call("prepare", self._prepare),
            lock=lambda: self._call("lock", lambda: self.state),
            swap=lambda lock, new: self._call("swap", lambda: self._swap(lock, new)),
            rows=lambda prefix: self._call("rows", lambda: self._rows(prefix)),
            row=lambda key: self._call("row", lambda: self._rows(key).get(key)),
            put=lambda key, row, fence: self._call("put", lambda: self._put(key, row, fence)),
            replace=lambda key, before, after, fence: self._call(
                "replace", lambda: self._replace(key, before, after, fence)
            ),
            now=lambda: datetime.now(UTC),
        )

    def _call(self, name: str, effect: Callable[[], R]) -> R:
        with self._mutex:
            self.calls.append(name)
            self.before(name)
            self._fail(name, self._refused)
            answer = effect()
            self.after(name)
            self._fail(name, self._unanswered)
            return answer

    def _fail(self, name: str, failures: Counter[str]) -> None:
        if failures[name] > 0:
            failures[name] -= 1
            raise StatementFailed(f"{name} failed")

    def _prepare(self) -> None:
        self.is_prepared = True

    def _needs(self) -> None:
        if not self.is_prepared and self.state == UNHELD:
            raise StatementFailed("nothing is prepared")

    def _swap(self, lock: Lock, new: Lock) -> bool:
        self._needs()
        is_same = self.state == lock
        self.state = new if is_same else self.state
        return is_same

    def _rows(self, prefix: str) -> dict[str, Json]:
        return {key: self.row(key) for key in sorted(self.texts) if key.startswith(prefix)}

    def _put(self, key: str, row: Json, fence: int) -> bool:
        self._needs()
        is_valid = self.state.fence == fence
        if is_valid:
            self.texts[key] = canonical(row)
        return is_valid

    def _replace(self, key: str, before: Json, after: Json, fence: int) -> bool:
        self._needs()
        is_same = self.state.fence == fence and self.texts.get(key) == (None if before is None else canonical(before))
        if is_same:
            self.texts[key] = canonical(after)
        return is_same
