"""Members around a member, with their ranks."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from keywright.declare.answers import Around
from keywright.engines.redis.access.calls import Neighbours
from keywright.errors import UsageError
from keywright.runtime.items.codec import Codec
from keywright.runtime.items.fill import texts
from keywright.runtime.validate.arguments import Arguments

from .. import values
from ..client_types import RedisClient
from .scores import pairs
from .scripts import NEIGHBOURS
from .sending import key_of


def around(call: Neighbours, codec: Codec[Any]) -> Callable[[RedisClient, Arguments], Any]:
    """A function from a client and a call to the members around a member, or to its rank; None without the member."""
    key, member, shares = key_of(call.keys), texts(call.member), int(call.shares_ranks)
    command = "ZREVRANK" if call.is_backward else "ZRANK"

    def read(client: RedisClient, arguments: Arguments) -> Around[Any] | int | None:
        limit = 1 if call.is_rank or arguments.limit is None else arguments.limit
        if limit < 1:
            raise UsageError(f"an answer has at least one member, not {limit}", "omit limit=, or raise it")
        name, requested = key(arguments), member(arguments)[0]
        answer = NEIGHBOURS(client, [name], [command, requested, limit, shares])
        if answer is None:
            return None
        first, rank_of_first, scored = answer
        members = pairs(scored)
        ranks = _ranks([score for _, score in members], int(first), int(rank_of_first), shares=call.shares_ranks)
        if call.is_rank:
            return ranks[0]
        position = next(at for at, (text, _) in enumerate(members) if text == values.to_text(requested))
        return Around(tuple(codec.from_item((name, each)) for each in members), ranks, position)

    return read


def _ranks(scores: Sequence[float], first: int, rank_of_first: int, *, shares: bool) -> tuple[int, ...]:
    """The rank of each member. first: the place of the first one. rank_of_first: its rank, lower if it is shared."""
    ranks = [rank_of_first]
    for place, (score, following) in enumerate(pairwise(scores), first + 1):
        ranks.append(ranks[-1] if shares and score == following else place)
    return tuple(ranks)
