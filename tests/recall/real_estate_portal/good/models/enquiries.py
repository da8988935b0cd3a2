"""Enquiries and what is said in them, for agents and seekers, and a second table for counts of the portal."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

from .accounts import Member, MemberId
from .agencies import AgencyCard
from .listings import AgencyId, Listing, ListingId

EnquiryId = Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
Month = Annotated[str, Field(pattern=r"^\d{4}-\d{2}$"), kw.Size(avg=7, max=7)]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$"), kw.Size(avg=10, max=10)]

inbox = kw.Gsi("inbox", pk="gsi1pk", sk="gsi1sk", project=["enquiry_id", "listing_id", "status", "received_at"])
by_seeker = kw.Gsi("by_seeker", pk="gsi2pk", sk="gsi2sk", project=["enquiry_id", "listing_id", "status", "received_at"])

leads = kw.DynamoTable("leads", owner="enquiries", gsis=[inbox, by_seeker])
tallies = kw.DynamoTable("tallies", owner="enquiries")


class Enquiry(BaseModel):
    """A seeker's question about a home, with the contact that the agency may use."""

    __store__: ClassVar = kw.Item(
        leads,
        pk="ENQUIRY#{enquiry_id}",
        sk="ENQUIRY",
        gsis=[
            inbox.key(pk="AGENCY#{agency_id}", sk="{received_at:iso}#{enquiry_id}"),
            by_seeker.key(pk="MEMBER#{seeker_id}", sk="{received_at:iso}#{enquiry_id}"),
        ],
        expected=800_000_000,
        active=0.01,
        keep_forever="agencies must prove their commissions; a seeker's own are erased on request",
    )

    enquiry_id: EnquiryId
    agency_id: Annotated[AgencyId, kw.Ref(AgencyCard, on_missing="ignore", max_referrers=400_000)]
    listing_id: Annotated[ListingId, kw.Ref(Listing, on_missing="ignore", max_referrers=5_000)]
    seeker_id: Annotated[MemberId, kw.Ref(Member, on_missing="ignore", max_referrers=500)]
    seeker_name: Annotated[str, kw.Size(avg=16, max=80), kw.Pii()]
    seeker_phone: Annotated[str, Field(max_length=20), kw.Pii()]
    status: Literal["new", "answered", "viewing", "closed"] = "new"
    received_at: datetime


class Message(BaseModel):
    """One message of the conversation below an enquiry."""

    __store__: ClassVar = kw.Item(
        leads,
        pk="ENQUIRY#{enquiry_id}",
        sk="MESSAGE#{message_id}",
        expected=2_500_000_000,
        active=0.01,
        keep_forever="part of the enquiry",
    )

    enquiry_id: Annotated[EnquiryId, kw.Ref(Enquiry, on_missing="hide", max_referrers=300)]
    message_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    sender: Literal["seeker", "agent"]
    text: Annotated[str, kw.Size(avg=350, max=4_000), kw.Pii()]
    sent_at: datetime


ask = kw.Put(Enquiry, if_absent=True, rate="8/s", peak="250/s", p99_ms=60)
enquiry = kw.Get(Enquiry, eq="enquiry_id", rate="80/s", peak="600/s", p99_ms=15)
conversation = kw.ReadTogether(
    kw.Read(Enquiry, eq="enquiry_id"),
    kw.Read(Message, eq="enquiry_id"),
    limit=51,
    rate="60/s",
    peak="900/s",
    p99_ms=30,
)
agency_inbox = kw.Read(
    Enquiry,
    eq="agency_id",
    order="-received_at",
    limit=40,
    fields=["enquiry_id", "listing_id", "status", "received_at"],
    rate="40/s",
    peak="400/s",
    p99_ms=40,
)
enquiries_of_seeker = kw.Read(
    Enquiry,
    eq="seeker_id",
    order="-received_at",
    limit=30,
    fields=["enquiry_id", "listing_id", "status", "received_at"],
    rate="30/s",
    peak="300/s",
    p99_ms=40,
)
change_enquiry_status = kw.Update(Enquiry, sets="status", rate="10/s", peak="300/s", p99_ms=60)
erase_enquiry = kw.Delete(Enquiry, rate="200/day", p99_ms=100)
say = kw.Put(Message, if_absent=True, rate="30/s", peak="900/s", p99_ms=60)
erase_message = kw.Delete(Message, rate="900/day", p99_ms=100)


class AgencyTally(BaseModel):
    """An agency's enquiries and calls of a month, for its own statistics and for nothing that is billed."""

    __store__: ClassVar = kw.Item(
        tallies,
        pk="AGENCY#{agency_id}",
        sk="MONTH#{month}",
        kind="analytics",
        keep_forever="twelve rows a year and agency, compared over years",
    )

    agency_id: Annotated[AgencyId, kw.Ref(AgencyCard, on_missing="ignore", max_referrers=120)]
    month: Month
    enquiries: Annotated[int, Field(ge=0)] = 0
    calls: Annotated[int, Field(ge=0)] = 0


open_agency_month = kw.Put(AgencyTally, if_absent=True, rate="60k/month", p99_ms=60)
count_enquiry = kw.Increment(AgencyTally, "enquiries", rate="8/s", peak="250/s", hot_key="5/s", p99_ms=60)
count_call = kw.Increment(AgencyTally, "calls", rate="12/s", peak="150/s", hot_key="5/s", p99_ms=60)
months_of_agency = kw.Read(AgencyTally, eq="agency_id", order="-month", limit=24, rate="15/s", p99_ms=40)


class PortalTally(BaseModel):
    """How often something was done on the whole portal on a day, in twenty parts that are added up by the reader."""

    __store__: ClassVar = kw.Item(
        tallies,
        pk="PORTAL#{what}#{day}#{:shard(20)}",
        sk="PART",
        kind="analytics",
        keep_forever="forty small rows a day, compared over years",
    )

    what: Literal["number_shown", "listing_shared"]
    day: Day
    times: Annotated[int, Field(ge=0)] = 0


count_portal = kw.Increment(
    PortalTally, "times", eq=["what", "day"], rate="1.8k/s", peak="5k/s", hot_key="4k/s", p99_ms=60
)
portal_day = kw.Read(PortalTally, eq=["what", "day"], limit=20, fan_out=20, rate="2/s", p99_ms=80)
