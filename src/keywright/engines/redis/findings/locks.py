"""Entities that are used as locks: put if absent, and deleted when their holder has finished."""

from collections.abc import Iterator

from keywright.engines.findings.context import RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.binding import Binding

from ..access.layout import Layout
from ..declare.options import Structure
from .servers import ServerContents, entities

_NAMES = ("lock", "mutex", "lease", "semaphore")


def locks(context: RuleContext) -> Iterator[tuple[ServerContents, Binding[Structure], Layout]]:
    """Values and hashes that are put if absent and deleted, and that are named as locks or never read.

    A unique name is also put if absent and deleted at some time, but it is read as well.
    """
    for server, binding, layout in entities(context):
        if layout.kind not in ("string", "hash"):
            continue
        is_taken = any(plan.pattern.if_absent for plan, _ in calls(context, binding, "put"))
        is_released = any(plan.pattern.because == "request" for plan, _ in calls(context, binding, "delete"))
        is_read = any(calls(context, binding, "get", "read"))
        is_named = any(name in f"{layout.key.text} {binding.name}".lower() for name in _NAMES)
        if is_taken and is_released and (is_named or not is_read):
            yield server, binding, layout
