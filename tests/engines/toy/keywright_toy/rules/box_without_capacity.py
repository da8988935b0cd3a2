"""TOY001: a box has no capacity, so that its file can grow without limit."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """Every box without a capacity."""
    if target.declared.capacity is None:
        problem = f'box "{target.declared.name}" has no capacity'
        yield FindingDraft(problem=problem, help="add capacity=", subject=target.declared.name)
