"""Marks of a pass on its transformed items, for entities without a schema version.

The first write of an item sets its mark. The marks are removed once a full pass has found no item without one. The
history records the state of the removal, because after the first removed mark the others no longer identify the
transformed items.
"""

from keywright.engines.contract.ledger import Ledger
from keywright.engines.contract.pages import Pages, Work
from keywright.errors import NeedsDecision

from ..run.execute import Holder
from .item_transform import PythonTransform, hash_of
from .segments import SegmentRow


class Marking:
    """State of the marks of a pass; a pass without marks is never over."""

    def __init__(self, ledger: Ledger, step: str, work: Work, code: PythonTransform | None) -> None:
        """step: the prefix of all rows of the pass, such as `0008/00020`."""
        self.ledger, self.step, self.work = ledger, step, work
        self.hash = hash_of(work, code)

    def is_over(self) -> bool:
        """Whether all items are transformed, so that only marks may still be removed.

        Raises NeedsDecision if another transform was applied.
        """
        row = self._row()
        if row is None:
            return False
        if row["hash"] != self.hash:
            raise NeedsDecision(
                f"{self.step}: the transform has changed, and the former one has been applied to all items",
                "restore the former transform; write a further change as a further migration: `keywright migrate new`",
            )
        return True

    def clear(self, pages: Pages, segments: int, page: int, holder: Holder) -> None:
        """Remove all marks, also after an interruption; the caller must have verified that every item has its mark."""
        if not self.work.once or ((row := self._row()) and row["state"] == "cleared"):
            return
        self._note("clearing", holder)
        for segment in pages.split(segments):
            cursor, is_end = None, False
            while not is_end:
                holder.check()
                cursor = pages.marks.clear(segment, cursor, page)
                is_end = cursor is None
        holder.check()
        pages.marks.dismiss()
        self._note("cleared", holder)

    def _row(self) -> SegmentRow | None:
        row: SegmentRow | None = self.ledger.row(f"{self.step}/marks")  # type: ignore[assignment]
        return row if row is not None and row["of"] == self.work.once else None

    def _note(self, state: str, holder: Holder) -> None:
        holder.put(f"{self.step}/marks", {"of": self.work.once, "state": state, "hash": self.hash})
