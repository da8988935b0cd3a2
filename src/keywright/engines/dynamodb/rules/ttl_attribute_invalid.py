"""DDB024: items that have expired are taken for valid, or never expire."""

import re
from collections.abc import Iterator

from keywright.engines.dynamodb.uses import uses
from keywright.engines.flaws.context import Flaw, Stored, Whole
from keywright.engines.flaws.observation import Seen

_KINDS = "session", "token"
_FORMS = re.compile(r"(?:_|^)(?:iso|date|ms|millis)$|Ms$|Millis$|Iso$")
"""Ends of names that say that a value is no epoch in seconds."""

_SAID = {"milliseconds": "in milliseconds", "text": "as text", "other": "of another type"}
"""What may stand there instead, in words."""


def models(whole: Whole) -> Iterator[Flaw]:
    """Reads of sessions and tokens without the time at which they expire: they stay for days after it."""
    for use in uses(whole):
        field = use.entity.binding.entity.ttl
        kind = getattr(use.entity.binding.spec, "kind", "")
        fields = use.pattern.fields
        if field is None or kind not in _KINDS or not fields or use.pattern.kind not in ("get", "read"):
            continue
        if field.name not in fields:
            yield Flaw(
                problem=f'it does not read "{field.name}", and an expired {kind} stays for days before it is deleted',
                help=f'add "{field.name}" to fields=, and pass over what has expired',
                subject=use.name,
                at=use.pattern.at,
            )


def stored(one: Stored) -> Iterator[Flaw]:
    """Tables that expire by what is no number of seconds."""
    table = one.placed
    if table.ttl is None:
        return
    keys = [part for keyed in (table, *table.indexes, *table.local_indexes) for part in keyed.keys]
    type = next((part.type for part in keys if part.attribute == table.ttl), "N")
    if type != "N":
        what = f"is a key of type {type}"
    elif not table.shape and _FORMS.search(table.ttl):
        what = "is no epoch in seconds by its name"
    else:
        return
    yield Flaw(
        problem=f'items of table "{table.name}" expire by "{table.ttl}", which {what}: none ever does',
        help="expire by a number of seconds since 1970, in an attribute of its own",
        subject=one.declared.name,
    )


def live(seen: Seen) -> Iterator[Flaw]:
    """Every entity of which sampled items expire by what is no number of seconds."""
    for binding, items in seen.items():
        wrong = {kind: items.expiries.get(kind, 0) for kind in ("milliseconds", "text", "other")}
        if count := sum(wrong.values()):
            told = ", ".join(f"{many:,} {_SAID[kind]}" for kind, many in wrong.items() if many)
            yield Flaw(
                problem=f'{items.sample.of(count)} have no number of seconds in "{seen.target.placed.ttl}" and never '
                f"expire: {told}",
                help="write whole seconds since 1970, as `runtime` does, and put right what is there by a backfill",
                subject=binding.name,
                field=binding.entity.ttl.name if binding.entity.ttl else "",
            )
