"""Rules on live stores: `live` finders, and `stored` finders on differences between server and models."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.observation import LiveTarget
from keywright.record import replace

from .rule import Rule

RuleFunction = Callable[..., Iterable[FindingDraft]]
"""A generator of findings from one input; the parameters of its rule are keyword-only arguments."""


def finders_of(rule: Rule, live_targets: Iterable[LiveTarget]) -> Iterator[tuple[LiveTarget, RuleFunction]]:
    """(live target, finder) for every finder of a rule that runs on live targets."""
    live, stored = rule.finder("live"), rule.finder("stored")
    for live_target in live_targets:
        if live is not None:
            yield live_target, live
        if stored is not None and live_target.live is not None:
            yield live_target, only_live(stored)


def is_live_only(rule: Rule) -> bool:
    """Whether a rule needs a live store."""
    return rule.finder("live") is not None and rule.finder("models") is None and rule.finder("stored") is None


def only_live(stored: RuleFunction) -> RuleFunction:
    """A finder for live targets that reports findings in the live target that the expected target does not have."""

    @wraps(stored)
    def find(live_target: LiveTarget, **arguments: Any) -> Iterator[FindingDraft]:
        expected = {_location(draft) for draft in stored(live_target.target, **arguments)}
        for draft in stored(live_target.live, **arguments):
            if _location(draft) not in expected:
                yield replace(
                    draft,
                    problem=f"on the live server, {draft.problem}",
                    help="`keywright drift` shows the differences from the models; correct them on the server",
                    fix=None,
                )

    return find


def _location(draft: FindingDraft) -> tuple[str, str, str]:
    return draft.subject, draft.part, draft.field
