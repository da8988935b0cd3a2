"""Entities that are locks: put if absent, and deleted when their holder has finished."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.binding import Binding

from ..access.layout import Layout
from ..declare.options import Structure
from .servers import ServerContents, entities

_NAMES = frozenset(("lock", "locks", "mutex", "lease", "leases", "semaphore"))
_WORD = re.compile(r"[A-Z]?[a-z]+")


def locks(context: RuleContext) -> Iterator[tuple[ServerContents, Binding[Structure], Layout]]:
    """Values and hashes that are put if absent, and that are named as locks, or deleted and never read.

    A unique name is also put if absent and deleted at some time, but it is read as well.
    """
    for server, binding, layout in entities(context):
        if layout.kind not in ("string", "hash"):
            continue
        is_taken = any(plan.pattern.if_absent for plan, _ in calls(context, binding, "put"))
        is_released = any(plan.pattern.because == "request" for plan, _ in calls(context, binding, "delete"))
        is_read = any(calls(context, binding, "get", "read"))
        is_named = not _NAMES.isdisjoint(word.lower() for word in _WORD.findall(f"{layout.key.text} {binding.name}"))
        if is_taken and (is_named or (is_released and not is_read)):
            yield server, binding, layout
