"""GEN005: a read joins another entity on every call."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext


def models(context: RuleContext, *, min_rate: float = 5) -> Iterator[FindingDraft]:
    """Report every join of a read; aggregates run rarely, and other rules check their cost.

    min_rate: calls per second from which a join is reported; so is one without a declared rate.
    """
    for pattern in context.design.patterns:
        if pattern.load.per_second is not None and pattern.load.per_second < min_rate:
            continue
        for join in pattern.joins if pattern.kind == "read" else ():
            fields = ", ".join(f'"{name}"' for name in join.fields)
            first = join.fields[0] if join.fields else "..."
            yield FindingDraft(
                problem=f'each page joins "{join.entity}" for {fields}',
                help=f'copy the fields, such as kw.CopiedFrom({join.entity}, "{first}", sync="stream"), or embed it',
                subject=pattern.name,
                at=pattern.at,
            )
