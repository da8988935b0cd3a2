"""CAS063: money, stock or billed usage is a counter column, which a retry counts twice."""

import re
from collections.abc import Iterator

from keywright.declare.names import names
from keywright.engines.findings.context import FindingDraft, RuleContext

_BILLED = re.compile(r"(?:^|[_\W]|(?<=[a-z]))(?:bill(?:ed|ing|able)?|invoice[sd]?|metered)(?![a-z])", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not?|never|except)\b", re.IGNORECASE)


def models(context: RuleContext, *, kinds: tuple[str, ...] = ("money", "stock")) -> Iterator[FindingDraft]:
    """Report every table of counters of such a kind, and, as a warning, those whose names or docstring mean billing.

    kinds: kinds of entities whose numbers must be exact.
    """
    for binding in context.bindings("cassandra"):
        counters = names(binding.spec.counters)
        is_declared = binding.spec.kind in kinds
        texts = [binding.name, binding.spec.name, *counters, binding.entity.doc, binding.spec.keep_forever or ""]
        is_billed = any(_BILLED.search(text) and not _NEGATED.search(text) for text in texts)
        if not counters or not (is_declared or is_billed):
            continue
        yield FindingDraft(
            problem=f'"{counters[0]}" is a counter: after a time-out, it is unknown whether an increment was applied, '
            f"and a retry {'changes the balance' if is_declared else 'bills the use'} twice",
            help="store each change as a row whose key identifies the request, and sum the rows; or a balance that is "
            "updated with a condition",
            subject=binding.name,
            field=counters[0],
            severity=None if is_declared else "warning",
        )
