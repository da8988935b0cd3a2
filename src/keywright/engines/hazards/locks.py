"""LK: what is done too early, or too much of it at once. What only one engine has is in its own module."""

from collections.abc import Iterator

from .context import Context, Hazard


def ungated(context: Context) -> Iterator[Hazard]:
    """LK102: an index goes before anybody has said that nobody asks it."""
    for one in context.of("DropIndex"):
        if context.stages and not context.is_gone(one) and not context.is_gated(one) and "R" not in one.classes:
            problem = f'index "{one.name}" is dropped, and no step before asks whether somebody still uses it'
            help = (
                "put a step {phase: contract, by: human, op: deploy_ack, text: ...}, or one of op quiet, in front of it"
            )
            yield context.hazard(one, problem, help)
