"""Patterns that may read a whole table, because they say so."""

from .fields import store_of
from .names import ordered
from .selection import M, Selecting

MOST_SEGMENTS = 1_000_000
"""Segments of a scan.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html, 2026-11-28."""


class Scanning(Selecting[M]):
    """A pattern that can ask for a scan, which reads every item of a table or index and returns some of them."""

    scan: bool = False
    """Whether it reads the whole table. Without it, a pattern that no key serves is an error."""
    segments: int = 1
    """Parts of a scan, which several callers read at the same time, each with its own segment."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        if self.segments > 1 and not self.scan:
            self.wrong("E0614", f"segments={self.segments} has no scan", "add scan=True, or remove segments=")
        if self.segments > MOST_SEGMENTS:
            problem = f"segments={self.segments:,} is more than a scan has, which is {MOST_SEGMENTS:,}"
            self.wrong("E0614", problem, "write one segment for each caller that reads at the same time")
        if not self.scan:
            return
        store = store_of(self.model)
        if store is not None and not store.is_incomplete and not store.physical.can_scan:
            problem = f"scan=True has no effect in {store.physical.engine}"
            self.wrong("E0614", problem, "remove it: `keywright patterns` shows the index or key that would serve it")
        if any(name == "segment" for _, name in self.fields_named()):
            problem = 'scan=True and the field "segment" are one argument of a call'
            self.wrong("E0614", problem, "rename the field, with its stored name as alias")
        if ordered(getattr(self, "order", [])):
            problem = "scan=True has no order: items come in the order of their hashed keys"
            self.wrong("E0614", problem, "remove order=, and sort what the pages return")
