"""RED009: another structure is made for what is asked."""

from collections.abc import Iterator

from keywright.access.path import NotServed
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen
from keywright.engines.flaws.rates import calls
from keywright.ir.pattern import PatternKind

from ..access.calls import Remove
from ..kept import entities

_MADE_FOR: dict[PatternKind, tuple[tuple[str, ...], str]] = {
    "rank": (("sorted set",), "kw.RedisSortedSet, which knows the place of each member"),
    "take": (("list", "stream", "rate limit"), "kw.RedisList or kw.RedisStream, from which one takes what is next"),
}
"""Structures that serve a kind of pattern, and the one to take."""


def models(whole: Whole) -> Iterator[Flaw]:
    """Every pattern that another structure would serve better, and every declared queue that is none."""
    for _, binding, known in entities(whole):
        if getattr(binding.spec, "kind", "") == "queue" and known.kind not in ("list", "stream", "sorted set"):
            yield Flaw(
                problem=f"it is a queue, and kept as a {known.kind}, from which nobody takes what is next",
                help="store it as kw.RedisStream(...), or as kw.RedisList(...) where losing one is not bad",
                subject=binding.name,
            )
        for kind, (structures, wanted) in _MADE_FOR.items():
            for plan, _ in calls(whole, binding, kind):
                if isinstance(plan.path, NotServed) and plan.pattern.unserved is None and known.kind not in structures:
                    yield Flaw(
                        problem=f'"{binding.name}" is a {known.kind}, which is not made for it',
                        help=f"store it as {wanted}",
                        subject=plan.pattern.name,
                        at=plan.pattern.at,
                    )
        for plan, _ in calls(whole, binding, "increment"):
            is_number = known.value is not None or len(known.stored) == 1
            if known.kind == "string" and is_number and plan.pattern.unserved is None:
                yield Flaw(
                    problem=f'it adds to "{plan.pattern.field}", and "{binding.name}" is a text',
                    help=f'store it as kw.RedisCounter(..., value="{plan.pattern.field}")',
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                )
        for plan, _ in calls(whole, binding, "delete"):
            call = getattr(plan.path, "call", None)
            if known.kind == "list" and isinstance(call, Remove) and call.element:
                yield Flaw(
                    problem=f'it looks for an element, and "{binding.name}" is a list, which is walked from its end',
                    help="store it as kw.RedisSet(...), or as kw.RedisSortedSet(...) where order counts",
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                )


_TYPES = {
    "string": "string", "counter": "string", "cache": "string", "hash": "hash", "list": "list", "set": "set",
    "sorted set": "zset", "stream": "stream", "bitmap": "string", "hyperloglog": "string", "geo": "zset",
}  # fmt: skip
"""The server's type of each structure; that of a rate limit depends on its window."""


def live(seen: Seen) -> Iterator[Flaw]:
    """Every entity of which keys are of another type than its structure."""
    structures = {one.entity: one for one in seen.target.placed.structures}
    for binding, items in seen.items():
        one = structures[binding.name]
        wanted = _TYPES.get(one.kind) or ("zset" if one.window == "sliding" else "string")
        others = {type: count for type, count in items.types.items() if type != wanted}
        if others:
            told = ", ".join(f"{count:,} {type}" for type, count in others.items())
            yield Flaw(
                problem=f"{items.sample.of(sum(others.values()))} are no {wanted}, as a {one.kind} is, but {told}: "
                "what its patterns send is refused with WRONGTYPE",
                help="find out who writes them; rename them away, or give its template a prefix of its own",
                subject=binding.name,
            )
