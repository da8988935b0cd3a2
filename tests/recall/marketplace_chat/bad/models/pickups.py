"""When buyer and seller meet: the pick-up that both have agreed upon."""

from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import ConversationId, ListingId, UserId
from models.inbox import inbox


class PickupBooking(BaseModel):
    """The booked pick-up of a listing; a second buyer cannot book it as long as the first one has it."""

    __store__: ClassVar = kw.RedisHash(
        inbox,
        key="pickup:{listing_id}",
        expected=900_000,
        kind="stock",
        keep_forever="deleted when the article was handed over or the sale was cancelled",
    )

    listing_id: ListingId
    conversation_id: ConversationId
    buyer_id: UserId
    meets_at: AwareDatetime
    place: Annotated[str, Field(max_length=80)]
    state: Literal["booked", "confirmed"] = "booked"


book_pickup = kw.Put(PickupBooking, if_absent=True, rate="3/s", peak="15/s", p99_ms=20)
pickup_booking = kw.Get(
    PickupBooking, eq="listing_id", consistency="strong", reads_back=[book_pickup], rate="60/s", peak="200/s", p99_ms=10
)
cancel_pickup = kw.Delete(PickupBooking, rate="3/s", p99_ms=20)
