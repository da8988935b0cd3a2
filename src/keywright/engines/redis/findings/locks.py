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
_RELEASED = 0.9
"""The share of locks that their holders release; the others expire."""
_WORD = re.compile(r"[A-Z]?[a-z]+")


def locks(context: RuleContext) -> Iterator[tuple[ServerContents, Binding[Structure], Layout]]:
    """Values and hashes that are put if absent, and that are named as locks, or deleted about as often as put.

    A unique name or a reservation is also put if absent and deleted at some time, but most of them remain. A token that
    is read is used up, not released.
    """
    for server, binding, layout in entities(context):
        if layout.kind not in ("string", "hash"):
            continue
        is_taken = any(plan.pattern.if_absent for plan, _ in calls(context, binding, "put"))
        releases = [rate or 0 for plan, rate in calls(context, binding, "delete") if plan.pattern.because == "request"]
        takes = [rate or 0 for plan, rate in calls(context, binding, "put") if plan.pattern.if_absent]
        is_released = bool(releases)
        are_all_released = sum(takes) > 0 and sum(releases) >= sum(takes) * _RELEASED
        is_read = any(calls(context, binding, "get", "read"))
        is_named = not _NAMES.isdisjoint(word.lower() for word in _WORD.findall(f"{layout.key.text} {binding.name}"))
        is_used_up = binding.spec.kind == "token" and is_read
        is_held = (are_all_released and not is_used_up) or (is_released and not is_read)
        if is_taken and (is_named or is_held):
            yield server, binding, layout
