"""Taking what is next: elements of a list, entries of a stream for a group, permits of a rate limit."""

from datetime import timedelta

from keywright.access.fill import Filled, Unfilled, fill
from keywright.access.path import AccessPath, Candidate, Rejected
from keywright.access.request import Request
from keywright.ir.binding import Binding

from ..options import RedisStream
from .calls import Call, Claim, Keys, Permit, Pop
from .held import Held, decided, spelled


def take(found: Held, binding: Binding, asked: Request) -> Candidate:
    """How taking is served, or why it is not."""
    if found.kind not in ("list", "stream", "rate limit"):
        return Rejected(
            found.by, f"nothing in a {found.kind} is next: take from a RedisList, RedisStream or RedisRateLimit"
        )
    filled = fill(spelled(found.key, found, asked), asked, found.attributes, is_write=True)
    if isinstance(filled, Unfilled):
        return Rejected(found.by, f'{filled.reason}, a part of the key "{found.by.name}": add it to eq=')
    if any(slot.kind == "draw" for slot in filled.slots):
        return Rejected(found.by, "the shard of the key is drawn at random: nothing says in which one is what is next")
    keys = Keys(found.prefix, filled, is_cluster=found.is_cluster)
    member = _member(found, asked)
    if isinstance(member, Rejected):
        return member
    decides = (*decided(found, filled), *decided(found, member))
    if rest := [one for one in asked.asked if one not in decides]:
        return Rejected(found.by, f'what is next is taken whatever it is, so nothing judges "{rest[0]}"')
    match found.kind:
        case "list":
            return _served(
                found, Pop(found.structure, keys), "the oldest first: pushed on the left, taken from the right"
            )
        case "stream":
            return _claim(found, binding, asked, keys)
        case _:
            return _served(found, Permit(found.structure, keys, member), *_window(found))


def _member(found: Held, asked: Request) -> Filled | Rejected | None:
    if found.member is None or found.kind != "rate limit":
        return None
    member = fill(spelled(found.member, found, asked), asked, found.attributes, is_write=True)
    if isinstance(member, Unfilled):
        return Rejected(found.by, f'{member.reason}, a part of the member "{found.member.text}": add it to eq=')
    return member


def _window(found: Held) -> tuple[str, ...]:
    if found.structure.window == "fixed":
        return ("one counter for each period: up to twice the limit across two of them",)
    return ("one script, which counts only what it allows",)


def _claim(found: Held, binding: Binding, asked: Request, keys: Keys) -> Candidate:
    group = asked.pattern.consumer_group
    if group is None:
        return Rejected(found.by, "entries of a stream are taken for a group: say group=")
    if group not in found.structure.groups:
        return Rejected(found.by, f'the stream has no group "{group}": add it to groups=')
    if found.key.placeholders:
        reason = "a group is made where the key is always the same: this stream's is made with its first entry"
        return Rejected(found.by, reason)
    idle = _claim_after(binding, group)
    call = Claim(found.structure, keys, group, idle // timedelta(milliseconds=1))
    notes = ("first what another consumer has left unfinished, then what is new", "acknowledged when it is read")
    return _served(found, call, *notes)


def _claim_after(binding: Binding, group: str) -> timedelta:
    """What a group waits for: how consumers behave, which no server knows and so no target says."""
    assert isinstance(binding.spec, RedisStream)
    return next((one.claim_after for one in binding.spec.groups if one.name == group), timedelta(minutes=1))


def _served(found: Held, call: Call, *notes: str) -> AccessPath:
    if found.freshness != "strong":
        notes += ("a failover may give again what was taken last: copies follow behind",)
    return AccessPath(found.by, call, consistency=found.freshness, notes=notes)
