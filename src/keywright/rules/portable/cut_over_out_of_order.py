"""GEN013: a move from another database skipped a stage."""

from collections.abc import Iterator
from typing import get_args

from keywright.declare.change import CutOver, CutOverStage
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.errors import quoted

STAGES: tuple[CutOverStage, ...] = get_args(CutOverStage)
"""In their order."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every move that skips an earlier stage, or that lists a later stage as done."""
    for binding in context.design.bindings:
        cut_over: CutOver | None = binding.spec.cut_over
        if cut_over is None:
            continue
        at = STAGES.index(cut_over.stage)
        missing = [stage for stage in STAGES[:at] if stage not in cut_over.done]
        early = [stage for stage in cut_over.done if STAGES.index(stage) >= at]
        if missing:
            yield FindingDraft(
                problem=f'its move is at "{cut_over.stage}", but {quoted(missing)} {_is(missing)} not done',
                help=f'run "{missing[0]}" first: set stage="{missing[0]}", and add it to done= when it is finished',
                subject=binding.name,
            )
        elif early:
            yield FindingDraft(
                problem=f'its move is at "{cut_over.stage}", but {quoted(early)} {_is(early)} listed as done',
                help=f'set stage= to the current stage, or remove "{early[0]}" from done=',
                subject=binding.name,
            )


def _is(stages: list[CutOverStage]) -> str:
    return "is" if len(stages) == 1 else "are"
