"""CAS063: money, stock or billed usage is a counter column, which a retry counts twice."""

import re
from collections.abc import Iterator

from keywright.declare.names import names
from keywright.engines.findings.amounts import is_amount
from keywright.engines.findings.context import FindingDraft, RuleContext, fields

_BILLED = re.compile(
    r"(?:^|[_\W]|(?<=[a-z]))(?:bill(?:ed|ing|able)?|invoice[sd]?|metered|charged? (?:for|per|by))(?![a-z])",
    re.IGNORECASE,
)
_STOCK = re.compile(r"(?:^|_)(?:on_hand|in_stock|stock|available|remaining|left)(?:$|_)")
"""Words in names of numbers that are what is left of something."""
_NEGATED = re.compile(r"\b(?:not?|nothing|none|never|except|without)\b", re.IGNORECASE)


def models(context: RuleContext, *, kinds: tuple[str, ...] = ("money", "stock")) -> Iterator[FindingDraft]:
    """Report every table of counters of such a kind, or that an entity of such a kind copies, and, as a warning, those
    whose names or docstring mean money or billing.

    kinds: kinds of entities whose numbers must be exact.
    """
    copied = _copied(context, kinds)
    for binding in context.bindings("cassandra"):
        counters = names(binding.spec.counters)
        counter = next((name for name in counters if (binding.name, name) in copied), None)
        if counter is not None:
            yield FindingDraft(
                problem=f'"{copied[binding.name, counter]}" copies the counter "{counter}": after a time-out, it is '
                "unknown whether an increment was applied, and a retry bills the use twice",
                help="store each use as a row whose key identifies the request, and sum the rows for the copy",
                subject=binding.name,
                field=counter,
            )
            continue
        is_declared = binding.spec.kind in kinds
        texts = [binding.name, binding.spec.name, *counters, binding.entity.doc, binding.spec.keep_forever or ""]
        is_billed = any(_BILLED.search(text) and not _NEGATED.search(text) for text in texts)
        amounts = [name for name in counters if is_amount(binding, name) or _STOCK.search(name)]
        if not counters or not (is_declared or is_billed or amounts):
            continue
        name = (amounts or counters)[0]
        yield FindingDraft(
            problem=f'"{name}" is a counter: after a time-out, it is unknown whether an increment was applied, '
            f"and a retry {'changes the balance' if is_declared or amounts else 'bills the use'} twice",
            help="store each change as a row whose key identifies the request, and sum the rows; or a balance that is "
            "updated with a condition",
            subject=binding.name,
            field=name,
            severity=None if is_declared else "warning",
        )


def _copied(context: RuleContext, kinds: tuple[str, ...]) -> dict[tuple[str, str], str]:
    """Copies in entities of some kinds, of any engine, by the (entity, field) of their source."""
    return {
        (attribute.copied_from.entity, attribute.copied_from.attribute): f"{binding.name}.{path}"
        for binding in context.design.bindings
        if binding.spec.kind in kinds
        for path, attribute in fields(binding.entity.attributes)
        if attribute.copied_from is not None
    }
