"""Whether the elements under one key grow for ever."""

from keywright.engines.findings.context import RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.binding import Binding

from ..access.layout import Layout
from ..access.memory import keys_of
from ..declare.options import Structure
from .servers import HISTORY, expires
from .times import has_period


def has_end(context: RuleContext, binding: Binding[Structure], layout: Layout) -> bool:
    """Whether a set under one of several keys does not grow for ever, so that its expected elements bound it.

    Its key is that of a period, or it expires, or a pattern removes members. A history never pauses, so that each
    write renews its expiry. A list contains equal elements as often as they come.
    """
    if layout.kind == "list" or keys_of(layout) == 1:
        return False
    is_removed = any(calls(context, binding, "delete", "take"))
    return has_period(layout) or (binding.spec.kind not in HISTORY and (expires(layout.structure) or is_removed))
