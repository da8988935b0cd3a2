"""DDB024: readers accept expired items as valid, or items never expire."""

import re
from collections.abc import Iterator

from keywright.engines.dynamodb.findings.uses import Use, scalar, uses
from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.engines.findings.observation import LiveTarget

_KINDS = "session", "token"
_KEPT = "event", "reading", "money", "analytics", "feed", "queue"
"""Kinds of items that are valid as long as they are kept."""
_VALIDITY = re.compile(
    r"(?:^|_)(?:valid_(?:until|till|to|thru)|until|good_(?:until|till)|lapses?|void|closes?|ends?|deadline)(?:_|$)"
)
"""Names of expiry times that end an item's validity, not only its storage."""

_FORMS = re.compile(r"(?:_|^)(?:iso|date|ms|millis)$|Ms$|Millis$|Iso$")
"""Endings of names that suggest a value other than epoch seconds."""
_WRONG_KINDS = {"milliseconds": "in milliseconds", "text": "as text", "other": "of another type"}
"""Text for each wrong kind of value."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Reads of sessions and tokens without their expiry time: expired items remain for days."""
    all_uses = list(uses(context))
    for use in all_uses:
        field = use.entity.binding.entity.ttl
        kind = use.entity.binding.spec.kind
        fields = use.pattern.fields
        is_valid_until = kind not in _KEPT and field is not None and bool(_VALIDITY.search(field.name))
        # Who asks for a state is told by the state, and the time says how long the record is kept.
        is_of_state = any(condition.test in ("equals", "one_of") for condition in use.pattern.where)
        # Who asks for all keys of an owner, and for nothing else, ends or reads the items one by one.
        is_of_keys = bool(fields and use.pattern.eq) and {*fields} <= {*use.pattern.eq, *use.entity.key_fields}
        is_of_keys = is_of_keys and use.pattern.kind == "read" and not (use.pattern.where or use.pattern.range)
        if field is None or not (kind in _KINDS or (is_valid_until and not is_of_state)):
            continue
        if is_of_keys or _is_sweep(use, all_uses):
            continue
        noun = kind if kind in _KINDS else "item"
        conditions = {use.pattern.range, *(condition.field for condition in use.pattern.where)}
        if use.pattern.kind == "count" and field.name not in conditions:
            yield FindingDraft(
                problem=f'it has no condition on "{field.name}" and counts {noun}s that expired up to days ago',
                help=f'add range="{field.name}", and a key or an index that serves it',
                subject=use.name,
                at=use.pattern.at,
            )
        elif use.pattern.kind in ("get", "read") and fields and field.name not in {*fields, *conditions}:
            asks = kind not in _KINDS
            remedy = f'add "{field.name}" to fields=, and pass over what has expired'
            yield FindingDraft(
                problem=f'it does not read "{field.name}", and items stay for days after it: may it return them?'
                if asks
                else f'it does not read "{field.name}", and an expired {noun} stays for days before it is deleted',
                help=f"if it may not, {remedy}" if asks else remedy,
                subject=use.name,
                at=use.pattern.at,
                severity="question" if asks else None,
            )


def _is_sweep(use: Use, all_uses: list[Use]) -> bool:
    """Whether a read looks for items that are due, of everybody, by a time other than the expiry.

    It returns those of a state, the earliest first, and another pattern ends that state under the same condition. An
    item that has also expired must be ended, not passed over.
    """
    read, entity = use.pattern, use.entity.binding.entity
    kind = scalar(use.entity, read.range) if read.range else None
    if kind is None or kind.kind != "datetime" or entity.ttl is None or read.range == entity.ttl.name:
        return False
    states = [condition for condition in read.where if condition.test == "equals"]
    return (
        not (read.eq or read.one_of)
        and read.order[:1] == (read.range,)
        and any(
            other.entity.binding.name == use.entity.binding.name
            and other.pattern.kind == "update"
            and any(state.field in other.pattern.sets and state in other.pattern.where for state in states)
            for other in all_uses
        )
    )


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """Tables whose expiry attribute is no number of seconds."""
    table = target.placed
    if table.ttl is None:
        return
    keys = [part for key_owner in (table, *table.indexes, *table.local_indexes) for part in key_owner.keys]
    type = next((part.type for part in keys if part.attribute == table.ttl), "N")
    if type != "N":
        detail = f"is a key of type {type}"
    elif not table.shape and _FORMS.search(table.ttl):
        detail = "is no epoch in seconds by its name"
    else:
        return
    yield FindingDraft(
        problem=f'items of table "{table.name}" expire by "{table.ttl}", which {detail}: none ever does',
        help="expire by a number of seconds since 1970, in an attribute of its own",
        subject=target.declared.name,
    )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Entities with sampled items whose expiry time is no number of seconds."""
    for binding, items in live_target.items():
        wrong = {kind: items.expiries.get(kind, 0) for kind in ("milliseconds", "text", "other")}
        if count := sum(wrong.values()):
            text = ", ".join(f"{number:,} {_WRONG_KINDS[kind]}" for kind, number in wrong.items() if number)
            yield FindingDraft(
                problem=f"{items.sample.of(count, 'has', 'have')} no number of seconds in "
                f'"{live_target.target.placed.ttl}", '
                f"without which nothing expires: {text}",
                help="write whole seconds since 1970, as `runtime` does, and put right what is there by a backfill",
                subject=binding.name,
                field=binding.entity.ttl.name if binding.entity.ttl else "",
            )
