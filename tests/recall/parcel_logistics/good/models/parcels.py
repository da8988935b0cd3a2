"""Bookings and parcels in DynamoDB: what a shipper orders, where the parcel stands, and for whom it is."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.shared import Cents, ConsigneeKey, CountryCode, DepotCode, Dimensions, ParcelNo, Phase, Service, ShipperId

of_shipper = kw.Gsi(
    "of_shipper", pk="shipper_day", sk="shipper_sort", project=["parcel_no", "booked_at", "service", "destination"]
)
held_by_customs = kw.Gsi(
    "held_by_customs", pk="customs_pk", sk="customs_sk", project=["parcel_no", "customs_office", "phase", "phase_since"]
)

# Each change of a parcel raises its revision; the statistics count a change once, the planner writes one notice for it.
parcels = kw.DynamoTable(
    "parcels",
    owner="parcel-core",
    gsis=[of_shipper, held_by_customs],
    stream=kw.Stream(
        images="new",
        consumers=[
            kw.Consumer("delivery-statistics", idempotency=["parcel_no", "revision"], on_failure="queue"),
            kw.Consumer("notice-planner", idempotency=["parcel_no", "revision"], on_failure="queue"),
        ],
    ),
)


class Parcel(BaseModel):
    """The present state of a parcel; its history is in the tracking events."""

    __store__: ClassVar = kw.Item(
        parcels,
        pk="PARCEL#{parcel_no}",
        sk="STATE",
        computed={"booked_day": "{booked_at:date}"},
        gsis=[
            of_shipper.key(pk="SHIPPER#{shipper_id}#{booked_day}", sk="{booked_at:iso}#{parcel_no}"),
            held_by_customs.key(
                pk="CUSTOMS#{customs_office}", sk="{phase_since:iso}#{parcel_no}", where={"phase": "customs"}
            ),
        ],
        expected=810_000_000,
        active=0.08,
    )

    parcel_no: ParcelNo
    revision: Annotated[int, Field(ge=1)]
    shipper_id: Annotated[ShipperId, kw.Ref("Shipper", on_missing="ignore", max_referrers=20_000_000)]
    service: Service
    phase: Phase
    phase_since: datetime
    depot: DepotCode | None = None
    destination: CountryCode
    # The office that would clear the parcel, from its route; most parcels never stop there.
    customs_office: Annotated[
        str, Field(pattern=r"^[A-Z]{2}[0-9]{6}$"), kw.Size(avg=8, max=8), kw.Cardinality(distinct=230)
    ]
    weight_g: Annotated[int, Field(ge=1, le=70_000)]
    size: Dimensions
    booked_at: Annotated[datetime, kw.Ttl(after=timedelta(days=90))]


parcel = kw.Get(Parcel, eq="parcel_no", rate="4k/s", peak="20k/s", hot_key="40/s", p99_ms=15)
parcels_of_shipper = kw.Read(
    Parcel,
    eq=["shipper_id", "booked_day"],
    order="-booked_at",
    fields=["parcel_no", "booked_at", "service", "destination"],
    limit=50,
    rate="40/s",
    peak="200/s",
    p99_ms=60,
)
waiting_for_customs = kw.Read(
    Parcel,
    eq="customs_office",
    where={"phase": "customs"},
    order="phase_since",
    fields=["parcel_no", "phase_since"],
    limit=100,
    rate="3/s",
    p99_ms=80,
)
announce_parcel = kw.Put(Parcel, if_absent=True, rate="104/s", peak="450/s", p99_ms=40)
advance_parcel = kw.Update(
    Parcel, sets=["phase", "phase_since", "depot", "revision"], rate="1.4k/s", peak="6k/s", p99_ms=30
)

consignees = kw.DynamoTable("consignees", owner="parcel-core")


class Consignee(BaseModel):
    """Who gets the parcel. Apart from it, so that neither the stream nor an index carries names."""

    __store__: ClassVar = kw.Item(
        consignees, pk="PARCEL#{parcel_no}", sk="CONSIGNEE", expected=810_000_000, active=0.05
    )

    parcel_no: Annotated[ParcelNo, kw.Ref(Parcel, on_missing="hide", max_referrers=1)]
    consignee_key: ConsigneeKey
    name: Annotated[str, Field(max_length=80), kw.Size(avg=18, max=80), kw.Pii()]
    street: Annotated[str, Field(max_length=120), kw.Size(avg=26, max=120), kw.Pii()]
    postcode: Annotated[str, Field(max_length=10), kw.Size(avg=5, max=10), kw.Pii()]
    city: Annotated[str, Field(max_length=60), kw.Size(avg=12, max=60)]
    country: CountryCode
    phone: Annotated[str | None, Field(max_length=20), kw.Pii()] = None
    email: Annotated[str | None, Field(max_length=254), kw.Pii()] = None
    forget_at: Annotated[datetime, kw.Ttl()]


consignee = kw.Get(Consignee, eq="parcel_no", rate="260/s", peak="1.2k/s", p99_ms=20)
save_consignee = kw.Put(Consignee, rate="104/s", peak="450/s", p99_ms=40)
correct_address = kw.Update(Consignee, sets=["street", "postcode", "city"], rate="30k/day", peak="3/s", p99_ms=60)

choices = kw.DynamoTable("choices", owner="recipient-app", discriminator=None, sk=None)


class DeliveryChoice(BaseModel):
    """What the recipient wants today. The service opens in all countries on one day, and answers a message to nine
    million phones between seven and eight in the morning."""

    __store__: ClassVar = kw.Item(choices, pk="CHOICE#{parcel_no}", expected=27_000_000)

    parcel_no: Annotated[ParcelNo, kw.Ref(Parcel, on_missing="hide", max_referrers=1)]
    wish: Literal["door", "neighbour", "safe_place", "locker", "other_day"]
    window_from: datetime
    window_to: datetime
    chosen_at: Annotated[datetime, kw.Ttl(after=timedelta(days=3))]


delivery_choice = kw.Get(DeliveryChoice, eq="parcel_no", rate="2k/s", peak="18k/s", p99_ms=15)
choose_delivery = kw.Put(DeliveryChoice, rate="900/s", peak="14k/s", p99_ms=30)

open_of_shipper = kw.Gsi(
    "open_of_shipper", pk="open_pk", sk="open_sk", project=["booking_id", "shipper_id", "parcel_count", "status"]
)
bookings = kw.DynamoTable("bookings", owner="shipper-portal", gsis=[open_of_shipper])


class Booking(BaseModel):
    """An order of labels. The shop draws its id, so that a repeated request is recognized."""

    __store__: ClassVar = kw.Item(
        bookings,
        pk="BOOKING#{booking_id}",
        sk="BOOKING",
        gsis=[
            open_of_shipper.key(
                pk="OPEN#{shipper_id}",
                sk="{ordered_at:iso}#{booking_id}",
                where={"status": kw.OneOf(["ordered", "printed"])},
            )
        ],
        expected=600_000_000,
        active=0.02,
    )

    booking_id: UUID
    shipper_id: Annotated[ShipperId, kw.Ref("Shipper", on_missing="fail", max_referrers=15_000_000)]
    status: Literal["ordered", "printed", "handed_over", "cancelled"]
    parcel_count: Annotated[int, Field(ge=1, le=500)]
    service: Service
    pickup_depot: DepotCode
    price: Cents
    ordered_at: Annotated[datetime, kw.Ttl(after=timedelta(days=180))]


booking = kw.Get(Booking, eq="booking_id", rate="150/s", peak="900/s", p99_ms=20)
open_bookings = kw.Read(
    Booking,
    eq="shipper_id",
    where={"status": kw.OneOf(["ordered", "printed"])},
    order="ordered_at",
    fields=["booking_id", "parcel_count", "status"],
    limit=100,
    rate="30/s",
    peak="150/s",
    p99_ms=60,
)
order_labels = kw.Put(Booking, if_absent=True, rate="40/s", peak="2.2k/s", p99_ms=60)
print_labels = kw.Update(Booking, sets="status", where={"status": "ordered"}, rate="40/s", peak="1k/s", p99_ms=60)
hand_over = kw.Update(Booking, sets="status", where={"status": "printed"}, rate="38/s", peak="400/s", p99_ms=60)
