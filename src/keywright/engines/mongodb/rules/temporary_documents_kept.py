"""MDB028: documents that are of use for a time only are never removed.

https://www.mongodb.com/docs/manual/core/index-ttl/ (2026-11-23)
"""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import single
from keywright.engines.findings.rates import items_per_second
from keywright.engines.mongodb.declare.options import AnyCollection, Collection
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted

_DAY = 86_400
_EXPIRIES = ("expires_at", "expires", "expiry", "expire_at", "valid_until", "expiration")
_UNFINISHED = {"waiting", "queued", "pending", "scheduled", "running", "processing", "in_progress", "started"}
_QUEUED, _FINISHED = {"queued", "running"}, {"done", "finished", "completed", "succeeded", "failed"}
_OF_TRADE = {"paid", "captured", "refunded", "settled", "authorised", "authorized", "shipped", "delivered", "declined"}
"""States of payments and orders, which are records."""
_NAMES = re.compile(
    r"Otp|Nonce|Captcha|Verification|PasswordReset|(Login|Web|User|Auth|^)(Session|Token)$"
    r"|(Login|OneTime|Confirmation)(Code|Link)$"
)
_KINDS = ("record", "queue")
"""Kinds that may be of use for ever; GEN008 reports sessions, tokens and others."""


def models(context: RuleContext, *, min_per_day: float = 1_000) -> Iterator[FindingDraft]:
    """Every collection of sessions, codes or job states that grows, without an expiry and without a delete.

    min_per_day: new documents a day from which a collection grows.
    """
    deleted = {pattern.binding for pattern in single(context.design) if pattern.kind == "delete"}
    for binding in context.bindings("mongodb"):
        spec = binding.spec
        if not isinstance(spec, Collection) or spec.kind not in _KINDS or binding.name in deleted:
            continue
        if binding.entity.ttl is not None or spec.keep_forever or "capped" in spec.settings:
            continue
        purpose, rate = _purpose(binding), items_per_second(context, binding, "put")
        if purpose and rate is not None and rate * _DAY >= min_per_day:
            yield FindingDraft(
                problem=f"{purpose}, but nothing removes them: {counted(rate * _DAY, 'document', spec=',.0f')} a day "
                "stay for ever, with their index entries",
                help="annotate a datetime with kw.Ttl(after=timedelta(...)), or give the reason by keep_forever=",
                subject=binding.name,
            )


def _purpose(binding: Binding[AnyCollection]) -> str:
    """The reason why documents are temporary; empty if there is none."""
    for attribute in binding.entity.attributes:
        kind = attribute.type
        if not isinstance(kind, Scalar):
            continue
        if kind.kind == "datetime" and attribute.name in _EXPIRIES:
            return f'its documents are valid until "{attribute.name}"'
        states = {*kind.constants}
        if _OF_TRADE & states:
            continue
        if ("failed" in states and _UNFINISHED & states) or (_QUEUED & states and _FINISHED & states):
            return f'"{attribute.name}" is the state of jobs that end'
    return "its documents are of use for one login or check" if _NAMES.search(binding.entity.name) else ""
