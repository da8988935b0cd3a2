"""The claim file: the claim itself, its notes, documents, letters and history, and the tasks of the adjusters."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import (
    Address,
    AdjusterId,
    Cents,
    ClaimId,
    Coverage,
    PartyId,
    PersonName,
    Point,
    PolicyId,
    ProductCode,
    Sha256,
    claims,
)
from models.policies import Party, Policy

ClaimState = Literal["reported", "in_review", "awaiting_documents", "approved", "rejected", "closed", "reopened"]
OPEN = kw.OneOf(["reported", "in_review", "awaiting_documents", "approved", "reopened"])


class Participant(BaseModel):
    """A person with a part in the claim."""

    party_id: Annotated[PartyId, kw.Ref(Party, on_missing="ignore")]
    name: Annotated[PersonName, kw.CopiedFrom(Party, "full_name", sync="stream")]
    role: Literal["holder", "driver", "claimant", "witness", "lawyer"]


class ClaimedCoverage(BaseModel):
    """What is claimed of one coverage, and the reserve that was set aside for it."""

    coverage: Coverage
    claimed_cents: Cents
    reserve_cents: Cents


class Claim(BaseModel):
    """A claim; what was paid is a copy of its account in the ledger."""

    __store__: ClassVar = kw.Collection(
        claims,
        "claims",
        id="{claim_id}",
        indexes=[
            kw.Index("number", unique=True),
            kw.Index(["policy_id", "-reported_at"]),
            kw.Index(["adjuster_id", "-updated_at"], where={"state": OPEN}),
            kw.Index(["state", "reported_at"], where={"state": OPEN}),
            kw.Index(["catastrophe_id", "reported_at"], where={"catastrophe_id": kw.Present()}),
            kw.Index("participants.party_id"),
            kw.Index("reported_at"),
            kw.Index(["product_code", "reported_at", "-fraud_score"]),
            kw.GeoIndex("loss_place"),
        ],
        stream=kw.Stream(
            consumers=[
                kw.Consumer("claim-history", idempotency=["claim_id", "revision"], on_failure="queue"),
                kw.Consumer("fraud-scoring", idempotency=["claim_id", "revision"], on_failure="queue"),
                kw.Consumer("portal-status", idempotency=["claim_id", "revision"], on_failure="queue"),
                kw.Consumer("broker-mail", idempotency=["claim_id", "revision"], on_failure="queue"),
                kw.Consumer("adjuster-badge", idempotency=["claim_id", "revision"], on_failure="queue"),
                kw.Consumer("reserve-report", idempotency=["claim_id", "revision"], on_failure="queue"),
                kw.Consumer("catastrophe-map", idempotency=["claim_id", "revision"], on_failure="queue"),
                kw.Consumer("survey-invitation", idempotency=["claim_id", "revision"], on_failure="queue"),
                kw.Consumer("reinsurance-notice", idempotency=["claim_id", "revision"], on_failure="queue"),
                kw.Consumer("deadline-watch", idempotency=["claim_id", "revision"], on_failure="queue"),
            ]
        ),
        schema_version=2,
        upgrades={1: kw.Upgrade(set={"channel": "phone"})},
        expected=9_000_000,
        active=0.03,
    )

    claim_id: ClaimId
    number: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{8}$", min_length=13, max_length=13)]
    policy_id: Annotated[PolicyId, kw.Ref(Policy, on_missing="fail", max_referrers=60)]
    product_code: Annotated[ProductCode, kw.CopiedFrom(Policy, "product_code", sync="never")]
    state: ClaimState
    channel: Literal["portal", "app", "phone", "broker", "partner"]
    cause: Literal["collision", "theft", "glass", "fire", "water", "storm", "hail", "vandalism", "liability", "other"]
    summary: Annotated[str, Field(max_length=2_000), kw.Size(avg=350, max=4_000), kw.Pii()]
    loss_at: AwareDatetime
    reported_at: AwareDatetime
    loss_address: Address | None = None
    loss_place: Point | None = None
    participants: Annotated[list[Participant], Field(max_length=25)]
    coverages: Annotated[list[ClaimedCoverage], Field(min_length=1, max_length=10)]
    adjuster_id: AdjusterId | None = None
    catastrophe_id: Annotated[UUID, kw.Ref("Catastrophe", on_missing="ignore", max_referrers=120_000)] | None = None
    paid_cents: Annotated[Cents, kw.CopiedFrom("ClaimAccount", "paid_cents", sync="stream")] = 0
    fraud_score: Annotated[int, Field(ge=0, le=1_000)] = 0
    updated_at: AwareDatetime
    revision: Annotated[int, Field(ge=1)] = 1
    erase_at: Annotated[AwareDatetime | None, kw.Ttl()] = None


report_claim = kw.Put(Claim, if_absent=True, consistency="eventual", rate="2.6k/day", peak="8/s", p99_ms=150)
claim = kw.Get(Claim, eq="claim_id", rate="60/s", peak="200/s", p99_ms=20)
claim_by_number = kw.Get(Claim, eq="number", rate="8/s", p99_ms=30)
claims_of_policy = kw.Read(Claim, eq="policy_id", order="-reported_at", limit=30, rate="20/s", p99_ms=50)
open_claims_of_adjuster = kw.Read(
    Claim, eq="adjuster_id", where={"state": OPEN}, order="-updated_at", limit=50, rate="4/s", p99_ms=80
)
oldest_unreviewed = kw.Read(Claim, where={"state": "reported"}, order="reported_at", limit=50, rate="1/s", p99_ms=80)
claims_of_party = kw.Read(Claim, eq="participants.party_id", limit=30, rate="6/s", p99_ms=80)
riskiest_claims = kw.Read(
    Claim,
    eq="product_code",
    range="reported_at",
    span=timedelta(days=30),
    order="-fraud_score",
    limit=50,
    rate="1/s",
    p99_ms=150,
)
claims_near = kw.Read(Claim, near="loss_place", limit=50, rate="1k/day", p99_ms=300)
advance_claim = kw.Update(
    Claim, sets=["state", "adjuster_id", "updated_at", "revision"], rate="25k/day", peak="5/s", p99_ms=100
)
set_reserves = kw.Update(Claim, sets=["coverages", "updated_at", "revision"], rate="9k/day", p99_ms=100)
close_claim = kw.Update(
    Claim,
    sets=["state", "updated_at", "revision", "erase_at"],
    where={"state": "approved"},
    rate="2.5k/day",
    p99_ms=100,
)
copy_paid = kw.Update(Claim, sets="paid_cents", rate="6k/day", p99_ms=200)
claims_by_cause = kw.Aggregate(
    Claim,
    range="reported_at",
    span=timedelta(days=30),
    group=["{reported_at:date}", "{cause}"],
    measures={"claims": kw.Distinct("claim_id"), "paid": kw.Sum("paid_cents")},
    rate="24/day",
    p99_ms=20_000,
)


claims_by_state = kw.Aggregate(
    Claim,
    group=["{state}"],
    measures={"claims": kw.Distinct("claim_id"), "paid": kw.Sum("paid_cents")},
    rate="3/s",
    p99_ms=1_000,
)
claims_of_three_years = kw.Count(
    Claim, range="reported_at", span=timedelta(days=3 * 365), rate="12/s", peak="60/s", p99_ms=300
)


class ClaimDraft(BaseModel):
    """A report that somebody began in the portal; a month later it is gone."""

    __store__: ClassVar = kw.Collection(
        claims,
        "claim_drafts",
        id="{draft_id}",
        indexes=[kw.Index(["party_id", "-saved_at"])],
        stream=kw.Stream(
            images="new_and_old",
            consumers=[kw.Consumer("draft-reminder", idempotency=["draft_id", "saved_at"], on_failure="queue")],
        ),
        kind="session",
        expected=60_000,
    )

    draft_id: UUID
    party_id: Annotated[PartyId, kw.Ref(Party, on_missing="ignore", max_referrers=10)]
    step: Annotated[int, Field(ge=1, le=9)]
    answers: Annotated[dict[str, Annotated[str, Field(max_length=2_000)]], Field(max_length=80), kw.Pii()]
    saved_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=30))]


save_draft = kw.Put(ClaimDraft, rate="20k/day", peak="30/s", p99_ms=100)
autosave_draft = kw.Update(ClaimDraft, sets=["answers", "saved_at"], rate="80/s", peak="500/s", p99_ms=100)
draft = kw.Get(ClaimDraft, eq="draft_id", consistency="strong", reads_back=[save_draft], rate="10k/day", p99_ms=50)
drafts_of_party = kw.Read(ClaimDraft, eq="party_id", order="-saved_at", limit=5, rate="10k/day", p99_ms=50)


class ClaimNote(BaseModel):
    """What an adjuster wrote into the file; a note is never changed."""

    __store__: ClassVar = kw.Collection(
        claims,
        "claim_notes",
        id="{note_id}",
        indexes=[kw.Index(["claim_id", "-written_at"]), kw.TextIndex("text", language="german")],
        expected=70_000_000,
        active=0.01,
    )

    note_id: UUID
    claim_id: Annotated[ClaimId, kw.Ref(Claim, on_missing="ignore", max_referrers=400)]
    author_id: AdjusterId
    text: Annotated[str, Field(max_length=8_000), kw.Size(avg=450, max=16_000), kw.Pii()]
    written_at: AwareDatetime
    erase_at: Annotated[AwareDatetime | None, kw.Ttl()] = None


write_note = kw.Put(ClaimNote, if_absent=True, rate="30k/day", peak="10/s", p99_ms=100)
notes_of_claim = kw.Read(ClaimNote, eq="claim_id", order="-written_at", limit=50, rate="12/s", p99_ms=50)
search_notes = kw.Read(ClaimNote, search="text", limit=20, rate="800/day", p99_ms=1_500)


class ClaimDocument(BaseModel):
    """A file of the claim; its bytes are in object storage under its checksum."""

    __store__: ClassVar = kw.Collection(
        claims,
        "claim_documents",
        id="{document_id}",
        indexes=[kw.WildcardIndex("*")],
        expected=80_000_000,
        active=0.01,
    )

    document_id: UUID
    claim_id: Annotated[ClaimId, kw.Ref(Claim, on_missing="ignore", max_referrers=300)]
    type: Literal["photo", "invoice", "estimate", "police_report", "medical_report", "letter", "other"]
    file_name: Annotated[str, Field(max_length=160), kw.Pii()]
    sha256: Sha256
    size_bytes: Annotated[int, Field(ge=1, le=50_000_000)]
    received_at: AwareDatetime
    legible: bool | None = None
    erase_at: Annotated[AwareDatetime | None, kw.Ttl()] = None


class IntakeDay(BaseModel):
    """How many documents came in on a day, for the screen of the mail room."""

    __store__: ClassVar = kw.Collection(claims, "intake_days", id="{day:date}", expected=4_000, active=0.01)

    day: date
    documents: Annotated[int, Field(ge=0)] = 0


begin_intake = kw.Put(IntakeDay, if_absent=True, rate="1/day", p99_ms=100)
intake = kw.Get(IntakeDay, eq="day", rate="1/s", p99_ms=30)
file_document = kw.Transact(
    [kw.Put(ClaimDocument, if_absent=True), kw.Increment(IntakeDay, "documents")],
    rate="35k/day",
    peak="40/s",
    hot_key="40/s",
    p99_ms=150,
)
documents_of_type = kw.Read(
    ClaimDocument, eq=["claim_id", "type"], order="-received_at", limit=50, rate="10/s", p99_ms=50
)
same_document = kw.Read(ClaimDocument, eq="sha256", limit=10, rate="35k/day", p99_ms=50)
classify_document = kw.Update(ClaimDocument, sets=["type", "legible"], rate="35k/day", p99_ms=150)


class RecognitionJob(BaseModel):
    """The recognition of the text of a document: waiting, running or finished."""

    __store__: ClassVar = kw.Collection(
        claims,
        "recognition_jobs",
        id="{job_id}",
        indexes=[kw.Index(["queued_at"], where={"state": "waiting"})],
        kind="queue",
        expected=40_000,
    )

    job_id: UUID
    document_id: Annotated[UUID, kw.Ref(ClaimDocument, on_missing="hide", max_referrers=5)]
    state: Literal["waiting", "running", "done", "failed"] = "waiting"
    worker: Annotated[str, Field(max_length=40)] | None = None
    queued_at: AwareDatetime


queue_recognition = kw.Put(RecognitionJob, if_absent=True, rate="35k/day", peak="20/s", p99_ms=100)
waiting_recognitions = kw.Read(
    RecognitionJob, where={"state": "waiting"}, order="queued_at", limit=20, rate="2/s", p99_ms=60
)
begin_recognition = kw.Update(
    RecognitionJob, sets=["state", "worker"], where={"state": "waiting"}, rate="35k/day", peak="20/s", p99_ms=100
)
finish_recognition = kw.Update(
    RecognitionJob, sets="state", where={"state": "running"}, rate="35k/day", peak="20/s", p99_ms=100
)


class ClaimEvent(BaseModel):
    """A step of a claim, written by the reader of the change stream."""

    __store__: ClassVar = kw.Collection(
        claims,
        "claim_events",
        id="{claim_id}#{revision:pad(6)}",
        indexes=[kw.Index(["claim_id", "revision"], unique=True)],
        kind="event",
        expected=110_000_000,
        active=0.005,
    )

    claim_id: Annotated[ClaimId, kw.Ref(Claim, on_missing="ignore", max_referrers=500)]
    revision: Annotated[int, Field(ge=1, le=999_999)]
    at: AwareDatetime
    actor: Annotated[str, Field(max_length=40)]
    state: ClaimState
    changed: Annotated[list[str], Field(max_length=20)]
    erase_at: Annotated[AwareDatetime, kw.Ttl()]


record_event = kw.Put(ClaimEvent, rate="60k/day", peak="15/s", p99_ms=150)
history_of_claim = kw.Read(ClaimEvent, eq="claim_id", order="revision", limit=200, rate="3/s", p99_ms=80)


class Letter(BaseModel):
    """A letter or message that was sent about a claim."""

    __store__: ClassVar = kw.Collection(
        claims,
        "letters",
        id="{letter_id}",
        indexes=[kw.Index(["claim_id", "-sent_at"])],
        expected=50_000_000,
        active=0.01,
    )

    letter_id: UUID
    claim_id: Annotated[ClaimId, kw.Ref(Claim, on_missing="ignore", max_referrers=200)]
    receiver_id: Annotated[PartyId, kw.Ref(Party, on_missing="ignore")]
    channel: Literal["post", "email", "portal"]
    template: Annotated[str, Field(max_length=40)]
    subject: Annotated[str, Field(max_length=160)]
    object_key: Annotated[str, kw.Size(avg=60, max=120), Field(max_length=120)]
    sent_at: AwareDatetime
    erase_at: Annotated[AwareDatetime | None, kw.Ttl()] = None


record_letter = kw.Put(Letter, if_absent=True, rate="14k/day", peak="40/s", p99_ms=150)
letters_of_claim = kw.Read(Letter, eq="claim_id", order="-sent_at", limit=30, rate="5/s", p99_ms=50)


class Task(BaseModel):
    """Something that an adjuster has to do by a date; finished tasks go after a year."""

    __store__: ClassVar = kw.Collection(
        claims,
        "tasks",
        id="{task_id}",
        indexes=[
            kw.Index(["assignee_id", "due_at"], where={"state": "open"}),
        ],
        validation="off",
        expected=9_000_000,
        active=0.05,
    )

    task_id: UUID
    claim_id: Annotated[ClaimId, kw.Ref(Claim, on_missing="hide", max_referrers=100)]
    assignee_id: AdjusterId
    type: Literal["call", "review", "inspect", "decide", "pay", "chase_documents"]
    state: Literal["open", "done", "cancelled"] = "open"
    due_at: AwareDatetime
    finished_at: Annotated[AwareDatetime | None, kw.Ttl(after=timedelta(days=365))] = None


create_task = kw.Put(Task, if_absent=True, rate="25k/day", p99_ms=100)
open_tasks = kw.Read(Task, eq="assignee_id", where={"state": "open"}, order="due_at", limit=50, rate="6/s", p99_ms=60)
finish_task = kw.Update(Task, sets=["state", "finished_at"], where={"state": "open"}, rate="25k/day", p99_ms=100)
