"""GEN013: a move from another database has left a stage out."""

from collections.abc import Iterator
from typing import get_args

from keywright.declare.change import CutOver, Stage
from keywright.engines.flaws.context import Flaw, Whole
from keywright.errors import quoted

STAGES: tuple[Stage, ...] = get_args(Stage)
"""In their order."""


def models(whole: Whole) -> Iterator[Flaw]:
    """Every move whose stage stands before others that should be done, or that says more is done than can be."""
    for binding in whole.design.bindings:
        said: CutOver | None = getattr(binding.spec, "cut_over", None)
        if said is None:
            continue
        at = STAGES.index(said.stage)
        missing = [stage for stage in STAGES[:at] if stage not in said.done]
        early = [stage for stage in said.done if STAGES.index(stage) >= at]
        if missing:
            yield Flaw(
                problem=f'its move is at "{said.stage}", and {quoted(missing)} {_is(missing)} not done',
                help=f'run "{missing[0]}" first: say stage="{missing[0]}", and put it among done= when it is finished',
                subject=binding.name,
            )
        elif early:
            yield Flaw(
                problem=f'its move is at "{said.stage}", and {quoted(early)} {_is(early)} said to be done',
                help=f'say the stage that runs now, or leave "{early[0]}" out of done=',
                subject=binding.name,
            )


def _is(stages: list[Stage]) -> str:
    return "is" if len(stages) == 1 else "are"
