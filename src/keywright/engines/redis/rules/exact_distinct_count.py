"""RED042: sets keep all their members only to be counted."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.text import counted

from ..access.memory import elements_of
from ..access.size import HYPERLOGLOG_BYTES, set_memory
from ..access.wire import template_bytes
from ..findings.servers import entities, is_billed


def models(
    context: RuleContext, *, min_elements: int = 1_000, exact: tuple[str, ...] = ("money", "stock")
) -> Iterator[FindingDraft]:
    """Sets whose only reads are counts; RED066 wants billed ones exact.

    min_elements: members of a set from which an estimate saves memory; an unknown number counts as many. exact: kinds
    of entities whose counts must be exact.
    """
    for _, binding, layout in entities(context):
        if (
            layout.kind != "set"
            or layout.member is None
            or binding.spec.kind in exact
            or is_billed(context, binding, layout)
        ):
            continue
        elements = elements_of(layout, binding)
        counts = [plan.pattern for plan, _ in calls(context, binding, "count")]
        is_only_counted = counts and not any(calls(context, binding, "get", "read", "delete", "take"))
        if any(plan.pattern.if_absent for plan, _ in calls(context, binding, "put")):
            continue  # each put asks whether the member is new, which an estimate does not know
        if not is_only_counted or (elements is not None and elements < min_elements):
            continue
        length = template_bytes(layout.member, layout).expected
        size = (
            f"{set_memory(round(elements), round(length)) / 2**10:,.0f} KiB for "
            f"{counted(elements, 'member', spec=',.0f')}"
            if elements is not None and length is not None
            else "memory for each member"
        )
        yield FindingDraft(
            problem=f'"{counts[0].name}" only counts its members, and a key keeps them all: {size}, where '
            f"{counted(HYPERLOGLOG_BYTES // 2**10, 'KiB', 'KiB')} would do",
            help="store it as kw.RedisHyperLogLog(...), whose count is true to about 0.8 %",
            subject=binding.name,
        )
