"""MDB028: documents that are of use for a time only are never removed.

https://www.mongodb.com/docs/manual/core/index-ttl/ (2026-11-23)
"""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.expiry import expiring_fields
from keywright.engines.findings.pattern_facts import single
from keywright.engines.findings.rates import calls, items_per_second
from keywright.engines.mongodb.declare.options import AnyCollection, Collection
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted

_DAY = 86_400
_HOURS = 48
"""Hours from which a time is in days."""
_EXPIRIES = re.compile(r"(?:^|_)(?:expires?|expiry|expiration)(?:_|$)")
"""Names of times at which a document is of no more use."""
_ENDS = re.compile(r"(?:^|_)(?:(?:valid|good|usable|live|open)_(?:until|till|to)|(?:dies|lapses|ends)_at)(?:_|$)")
"""Names of times at which what a document grants or offers ends; the document may be a record."""
_START, _END = (
    re.compile(r"^(?:start|begin|from|opens?)(?:s|ed|ing)?(?:_|$)"),
    re.compile(r"^(?:ends_at|open_(?:until|till|to))$"),
)
"""Names of the two ends of a period in which something happens."""
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


def models(context: RuleContext, *, min_per_day: float = 1_000, max_share: float = 0.04) -> Iterator[FindingDraft]:
    """Every collection of sessions, codes or job states that grows, without an expiry and without a delete, and every
    one with much fewer expected documents than are inserted.

    min_per_day: new documents a day from which a collection grows. max_share: share of the expected number of documents
    that may be added in a day, if each insert has a key of its own.
    """
    deleted = {pattern.binding for pattern in single(context.design) if pattern.kind == "delete"}
    for binding in context.bindings("mongodb"):
        spec = binding.spec
        if not isinstance(spec, Collection) or spec.kind not in _KINDS or binding.name in deleted:
            continue
        if expiring_fields(binding) or spec.keep_forever or "capped" in spec.settings:
            continue
        rate = items_per_second(context, binding, "put")
        purpose = _purpose(binding) or _outgrown(context, binding, max_share)
        ended = "" if purpose else _ended(binding)
        if (purpose or ended) and rate is not None and rate * _DAY >= min_per_day:
            per_day = counted(rate * _DAY, "document", spec=",.0f")
            remedy = "annotate a datetime with kw.Ttl(after=timedelta(...))"
            yield FindingDraft(
                problem=f'{per_day} a day are valid until "{ended}", and nothing removes them: are they records that '
                "are needed later?"
                if ended
                else f"{purpose}, but nothing removes them: {per_day} a day stay for ever, with their index entries",
                help=f"if they are, give the reason by keep_forever=; if not, {remedy}"
                if ended
                else f"{remedy}, or give the reason by keep_forever=",
                subject=binding.name,
                severity="question" if ended else None,
            )


def _outgrown(context: RuleContext, binding: Binding[AnyCollection], max_share: float) -> str:
    """The contradiction between the number of documents and the rate of inserts; empty if there is none."""
    rates = [
        rate * max(1, part.pattern.batch)
        for part, rate in calls(context, binding, "put")
        if rate is not None and part.pattern.if_absent
    ]
    expected = binding.spec.expected
    if expected is None or sum(rates) * _DAY <= max_share * expected:
        return ""
    documents = counted(expected, "expected document", spec=",")
    return f"inserts of {_in_words(expected / sum(rates))} reach its {documents}"


def _in_words(seconds: float) -> str:
    hours = seconds / 3600
    return counted(round(hours, 1), "hour", spec=".2g") if hours < _HOURS else counted(hours / 24, "day", spec=".2g")


def _purpose(binding: Binding[AnyCollection]) -> str:
    """The reason why documents are temporary; empty if there is none."""
    for attribute in binding.entity.attributes:
        kind = attribute.type
        if not isinstance(kind, Scalar):
            continue
        if kind.kind == "datetime" and _EXPIRIES.search(attribute.name):
            return f'its documents are valid until "{attribute.name}"'
        states = {*kind.constants}
        if _OF_TRADE & states:
            continue
        if ("failed" in states and _UNFINISHED & states) or (_QUEUED & states and _FINISHED & states):
            return f'"{attribute.name}" is the state of jobs that end'
    return "its documents are of use for one login or check" if _NAMES.search(binding.entity.name) else ""


def _ended(binding: Binding[AnyCollection]) -> str:
    """The time at which what a document grants ends, and which is not the end of a period; empty if there is none."""
    has_start = any(_START.search(attribute.name) for attribute in binding.entity.attributes)
    for attribute in binding.entity.attributes:
        is_time = isinstance(attribute.type, Scalar) and attribute.type.kind == "datetime"
        if is_time and _ENDS.search(attribute.name) and not (has_start and _END.search(attribute.name)):
            return attribute.name
    return ""
