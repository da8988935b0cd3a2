"""Trust and safety: reports and cases in DynamoDB, verdicts of the scanners and the audit trail in Cassandra."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import ConversationId, Language, UserId, trust
from models.members import cache

CaseId = Annotated[UUID, kw.Cardinality(distinct=6_000_000)]
AgentId = Annotated[str, Field(pattern=r"^agent-[0-9]{1,6}$"), kw.Cardinality(distinct=400)]
Queue = Literal["scam", "abuse", "counterfeit", "spam", "other"]

waiting = kw.Gsi("waiting", pk="gsi1pk", sk="gsi1sk", project=["case_id", "queue", "severity", "opened_at"])
of_agent = kw.Gsi("of_agent", pk="agent_id", sk="claimed_at")

moderation = kw.DynamoTable(
    "moderation",
    owner="trust-and-safety",
    gsis=[waiting, of_agent],
    stream=kw.Stream(consumers=[kw.Consumer("case-audit", idempotency=["case_id", "revision"], on_failure="queue")]),
)


class Case(BaseModel):
    """A conversation that somebody has to look at; a case that waits is in the index of its queue."""

    __store__: ClassVar = kw.Item(
        moderation,
        pk="CASE#{case_id}",
        sk="CASE",
        gsis=[
            waiting.key(
                pk="QUEUE#{queue}#{case_id:shard(4)}",
                sk="{severity:pad(2)}#{opened_at:iso}",
                where={"state": "waiting"},
            )
        ],
        expected=6_000_000,
        active=0.01,
        keep_forever="kept for the limitation period of five years, then exported and removed by the archive job",
    )

    case_id: CaseId
    conversation_id: ConversationId
    suspect_id: UserId
    queue: Queue
    severity: Annotated[int, Field(ge=1, le=10)]
    state: Literal["waiting", "claimed", "closed"] = "waiting"
    opened_at: AwareDatetime
    excerpt: Annotated[str, kw.Size(avg=14_000, max=60_000), Field(max_length=30_000), kw.Pii()] = ""
    agent_id: AgentId | None = None
    claimed_at: AwareDatetime | None = None
    decision: Literal["none", "warning", "suspension", "ban"] | None = None
    revision: Annotated[int, Field(ge=1)] = 1


open_case = kw.Put(Case, if_absent=True, rate="20k/day", peak="2/s", p99_ms=80)
case = kw.Get(Case, eq="case_id", consistency="strong", rate="5/s", p99_ms=40)
waiting_cases = kw.Read(
    Case,
    eq="queue",
    where={"state": "waiting"},
    order=["-severity", "-opened_at"],
    limit=25,
    fan_out=4,
    fields=["case_id", "queue", "severity", "opened_at"],
    rate="2/s",
    p99_ms=150,
)
claim_case = kw.Update(
    Case,
    eq=["case_id", "queue", "severity", "opened_at"],
    sets=["state", "agent_id", "claimed_at", "revision"],
    where={"state": "waiting"},
    rate="20k/day",
    p99_ms=80,
)
close_case = kw.Update(
    Case,
    eq=["case_id", "queue", "severity", "opened_at"],
    sets=["state", "decision", "revision"],
    where={"state": "claimed"},
    rate="20k/day",
    p99_ms=80,
)
cases_of_agent = kw.Read(
    Case,
    eq="agent_id",
    where={"claimed_at": kw.Present()},
    order="-claimed_at",
    limit=50,
    fields=["case_id", "queue", "severity", "claimed_at"],
    rate="1/s",
    p99_ms=100,
)


class Report(BaseModel):
    """A member's report, under the case that it belongs to; a member reports a conversation once."""

    __store__: ClassVar = kw.Item(
        moderation,
        pk="CASE#{case_id}",
        sk="REPORT#{reporter_id}",
        expected=9_000_000,
        active=0.01,
        keep_forever="goes with its case",
    )

    case_id: Annotated[CaseId, kw.Ref(Case, on_missing="ignore", max_referrers=200)]
    reporter_id: UserId
    reason: Queue
    message_ids: Annotated[list[UUID], Field(max_length=20)] = []
    comment: Annotated[str, kw.Size(avg=80, max=2_000), Field(max_length=500), kw.Pii()] = ""
    reported_at: AwareDatetime


file_report = kw.Put(Report, if_absent=True, rate="30k/day", peak="3/s", p99_ms=80)
reports_of_case = kw.Read(Report, eq="case_id", limit=50, rate="3/s", p99_ms=80)


class Sanction(BaseModel):
    """A warning, suspension or ban of a member."""

    __store__: ClassVar = kw.Item(
        moderation,
        pk="SANCTIONS",
        sk="USER#{user_id}#{issued_at:iso}",
        expected=2_500_000,
        active=0.02,
        keep_forever="repeat offenders are judged by their whole history",
    )

    user_id: UserId
    issued_at: AwareDatetime
    case_id: Annotated[CaseId, kw.Ref(Case, on_missing="ignore")]
    kind: Literal["warning", "suspension", "ban"]
    issued_by: AgentId
    ends_at: AwareDatetime | None = None


issue_sanction = kw.Put(Sanction, if_absent=True, rate="6k/day", p99_ms=80)
sanctions_of_member = kw.Read(
    Sanction, eq="user_id", order="-issued_at", limit=20, consistency="strong", rate="75/s", peak="300/s", p99_ms=30
)
all_sanctions = kw.Read(Sanction, order="user_id", limit=200, rate="300/day", p99_ms=200)


class BlockedPhrase(BaseModel):
    """A phrase that the scanner looks for; scanners load a language once and keep it for minutes."""

    __store__: ClassVar = kw.Item(moderation, pk="PHRASES#{language}", sk="PHRASE#{phrase:lower}", expected=20_000)

    language: Annotated[Language, kw.Cardinality(distinct=9)]
    phrase: Annotated[str, Field(max_length=60)]
    weight: Annotated[int, Field(ge=1, le=100)]


phrases_of_language = kw.Read(
    BlockedPhrase, eq="language", limit=1_000, rate="1/s", p99_ms=300, cache_ttl=timedelta(minutes=10)
)
add_phrase = kw.Put(BlockedPhrase, rate="20/day", p99_ms=100)


class ScanVerdict(BaseModel):
    """What a scanner thought of a message; a month of one member is a partition."""

    __store__: ClassVar = kw.CqlTable(
        trust,
        "scan_verdicts",
        partition=["user_id", "month"],
        clustering=["-at", "message_id"],
        computed={"month": "{at:month}"},
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        kind="event",
        expected=5_000_000_000,
        active=0.001,
    )

    user_id: UserId
    at: AwareDatetime
    message_id: UUID
    scanner: Literal["phrases", "links", "images", "behaviour"]
    score: Annotated[float, Field(ge=0, le=1)]
    model_version: Annotated[str, Field(max_length=20)]


record_verdict = kw.Put(ScanVerdict, rate="700/s", peak="3k/s", p99_ms=50)
verdicts_of_month = kw.Read(ScanVerdict, eq=["user_id", "month"], order="-at", limit=200, rate="20/s", p99_ms=80)


class CaseAudit(BaseModel):
    """Every step of a case, never changed."""

    __store__: ClassVar = kw.CqlTable(
        trust,
        "case_audit",
        partition="case_id",
        clustering=["at", "revision"],
        ttl=timedelta(days=5 * 365),
        compaction=kw.TimeWindow(window=timedelta(days=60)),
        kind="event",
        expected=30_000_000,
        active=0.001,
    )

    case_id: CaseId
    at: AwareDatetime
    revision: Annotated[int, Field(ge=1)]
    actor: Annotated[str, Field(max_length=40)]
    step: Literal["opened", "claimed", "released", "closed", "appealed"]
    detail: Annotated[str, kw.Size(avg=100, max=2_000)] = ""


append_audit = kw.Put(CaseAudit, rate="70k/day", peak="6/s", p99_ms=80)
audit_of_case = kw.Read(CaseAudit, eq="case_id", order="at", limit=100, rate="1/s", p99_ms=100)


class CaseTranscript(BaseModel):
    """The conversation of a case as one page with its pictures, rendered when an agent opens it for the first time."""

    __store__: ClassVar = kw.RedisString(
        cache, key="transcript:{case_id}", ttl=timedelta(hours=4), expected=2_000, kind="cache"
    )

    case_id: CaseId
    page: Annotated[str, kw.Size(avg=2_500_000, max=12_000_000)]
    rendered_at: AwareDatetime


keep_transcript = kw.Put(CaseTranscript, rate="20k/day", peak="2/s", p99_ms=200)
transcript = kw.Get(CaseTranscript, eq="case_id", rate="2/s", peak="10/s", p99_ms=200)


class FlaggedMessage(BaseModel):
    """A message with a high score, in the list of the scanner that found it."""

    __store__: ClassVar = kw.CqlTable(
        trust,
        "flagged_messages",
        partition="scanner",
        clustering=["-at", "message_id"],
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        kind="event",
        expected=240_000_000,
        active=0.002,
    )

    scanner: Literal["phrases", "links", "images", "behaviour"]
    at: AwareDatetime
    message_id: UUID
    user_id: UserId
    score: Annotated[float, Field(ge=0, le=1)]


flag_message = kw.Put(FlaggedMessage, rate="30/s", peak="150/s", p99_ms=50)
latest_flagged = kw.Read(FlaggedMessage, eq="scanner", order="-at", limit=100, rate="5/s", p99_ms=80)
