"""RED004: keys of temporary data, copies or short periods never expire, and the declaration does not say why."""

import re
from collections.abc import Iterator
from datetime import timedelta

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.rates import calls
from keywright.ir.binding import Binding

from ..access.layout import Layout
from ..access.memory import keys_of
from ..declare.options import Structure
from ..findings.copies import copied, elsewhere
from ..findings.endless_keys import growth_of_keys, secret_in_key
from ..findings.servers import TEMPORARY, entities, never_expiring, records_on_limiter
from ..findings.times import placeholders
from ..schema.layout import EXPIRING_KINDS, VALUE_KINDS

_WINDOW = re.compile(r"(?:^|_)(?:second|minute|hour|window|slot|tick|interval)$")
"""Endings of names of fields that are a short period."""

_PERIODS = frozenset(("date", "week", "month"))
"""Filters of placeholders that round a time to a period."""


def models(context: RuleContext, *, few_keys: int = 10, max_days: float = 30) -> Iterator[FindingDraft]:
    """Entities of caches, sessions and limiters, results of jobs, copies of other stores, and tokens with such keys.

    GEN008 reports those of a temporary kind, RED005 records on a limiter, RED007 servers on which nothing expires.
    few_keys: keys that need no expiry. max_days: time in which new keys, by their rate, may pass the expected number.
    """
    sources = {binding.entity.name: binding for binding in context.design.bindings if binding.engine != "redis"}
    stored_elsewhere = elsewhere(context)
    for server, binding, layout in entities(context):
        is_bounded = any(getattr(binding.spec, word, None) for word in ("ttl", "per", "keep", "keep_forever"))
        is_reported = not server.is_logged and binding.name in records_on_limiter(server, stored_elsewhere)
        is_few = layout.kind in EXPIRING_KINDS and (keys_of(layout) or few_keys + 1) <= few_keys
        if is_bounded or binding.entity.ttl is not None or server.is_unevictable or is_reported or is_few:
            continue
        role, source = server.spec.role, sources.get(binding.entity.name)
        is_value, copy = layout.kind in EXPIRING_KINDS, copied(binding, "job")
        is_deleted = any(calls(context, binding, "delete"))
        if role in ("cache", "sessions", "limiter") or (is_value and _has_window(context, binding, layout)):
            problem = f'its keys never expire, on server "{server.name}" in the role of {role}'
        elif is_value and not is_deleted and (period := _period(context, binding, layout)):
            problem = f'each "{period}" has counters of its own, and nothing deletes or expires those of the past'
        elif source is not None and is_value:
            problem = (
                f'it is a copy of {source.engine} "{source.physical.name}" whose keys never expire: memory grows, and '
                "outdated copies remain"
            )
        elif copy and is_value and not is_deleted:
            problem = f'it is a copy of "{copy}" whose keys never expire: memory grows, and outdated copies remain'
        elif role == "queue" and is_value and not is_deleted:
            problem = f'nothing deletes or expires its keys, on server "{server.name}" in the role of queue'
        elif is_value and binding.spec.kind not in TEMPORARY and (secret := secret_in_key(binding, layout)):
            problem = f'its key "{secret}" is a secret or the digest of one, and it never expires: whoever has it is in'
        elif is_value and not is_deleted and (growth := growth_of_keys(context, binding, layout, max_days)):
            problem = growth
        else:
            continue
        yield FindingDraft(
            problem=problem,
            help='say ttl=timedelta(...); or why not, by keep_forever="..."',
            subject=binding.name,
        )


def _has_window(context: RuleContext, binding: Binding[Structure], layout: Layout) -> bool:
    """Whether it counts in a short period, so that each period adds keys."""
    is_counted = layout.kind == "counter" or any(calls(context, binding, "increment"))
    return is_counted and any(
        _WINDOW.search(placeholder.path) or any(filter.name == "hour" for filter in placeholder.filters)
        for placeholder in placeholders(layout)
    )


def _period(context: RuleContext, binding: Binding[Structure], layout: Layout) -> str:
    """The day, week or month by which counters of many things are divided; empty if there is none."""
    used = list(placeholders(layout))
    is_counted = layout.kind == "counter" or any(calls(context, binding, "increment"))
    periods = [item.path for item in used if any(filter.name in _PERIODS for filter in item.filters)]
    return periods[0] if is_counted and periods and len(used) > len(periods) else ""


def _rounded(time: timedelta) -> timedelta:
    """A duration in whole days, hours or minutes."""
    unit = next((unit for unit in (86_400, 3_600, 60) if time.total_seconds() >= unit), 1)
    return timedelta(seconds=max(1, round(time.total_seconds() / unit)) * unit)


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Entities with keys that never expire although they should."""
    for structure, count in never_expiring(live_target, "never expires", "never expire"):
        if structure.kind not in VALUE_KINDS:  # RED102 reports the other kinds
            yield FindingDraft(
                problem=f"{count}, and all should",
                help="find out who writes them past keywright, and give those that are there an expiry by EXPIRE",
                subject=structure.entity,
            )
