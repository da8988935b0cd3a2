"""How rules are asked of live stores: by `live` finders, and by `stored` of what a server has beyond the models."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import wraps
from typing import Any

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.observation import Seen

from .rule import Rule

Finder = Callable[..., Iterable[Flaw]]
"""What finds flaws in what it is told; its parameters are keyword-only arguments."""


def told(rule: Rule, seen: Iterable[Seen]) -> Iterator[tuple[Seen, Finder]]:
    """What a rule's finders are told of live targets."""
    live, stored = rule.finder("live"), rule.finder("stored")
    for one in seen:
        if live is not None:
            yield one, live
        if stored is not None and one.live is not None:
            yield one, beyond(stored)


def is_live_only(rule: Rule) -> bool:
    """Whether a rule finds nothing without a live store."""
    return rule.finder("live") is not None and rule.finder("models") is None and rule.finder("stored") is None


def beyond(stored: Finder) -> Finder:
    """A finder of live targets: what the rule finds in one as the server has it, and not as it is wanted."""

    @wraps(stored)
    def found(one: Seen, **given: Any) -> Iterator[Flaw]:
        wanted = {_thing(flaw) for flaw in stored(one.target, **given)}
        for flaw in stored(one.live, **given):
            if _thing(flaw) not in wanted:
                yield replace(
                    flaw,
                    problem=f"on the live server, {flaw.problem}",
                    help="`keywright drift` shows what differs from the models; put it right there",
                    fix=None,
                )

    return found


def _thing(flaw: Flaw) -> tuple[str, str, str]:
    return flaw.subject, flaw.part, flaw.field
