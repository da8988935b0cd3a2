"""GEN005: a read needs fields of another entity, which it gets by a join each time."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole


def models(whole: Whole) -> Iterator[Flaw]:
    """Every join of a read; those of aggregates run seldom and are judged by what they cost."""
    for pattern in whole.design.patterns:
        for join in pattern.joins if pattern.kind == "read" else ():
            fields = ", ".join(f'"{name}"' for name in join.fields)
            first = join.fields[0] if join.fields else "..."
            yield Flaw(
                problem=f'each page is joined with "{join.entity}" for {fields}',
                help=f'copy what is needed, as in kw.CopiedFrom({join.entity}, "{first}", sync="stream"), or embed it',
                subject=pattern.name,
                at=pattern.at,
            )
