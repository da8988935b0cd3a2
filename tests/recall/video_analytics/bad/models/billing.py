"""Money: what publishers earn with advertisements, and how they pay for their plan."""

from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import TenantId, console
from models.console import Tenant


class RevenueAccount(BaseModel):
    """What a publisher has earned and was not paid yet."""

    __store__: ClassVar = kw.Collection(
        console,
        "revenue_accounts",
        id="{tenant_id}",
        kind="money",
        expected=1_200,
        keep_forever="accounting law: ten years, then archived by the finance job",
    )

    tenant_id: Annotated[TenantId, kw.Ref(Tenant, on_missing="fail", max_referrers=1)]
    earned_cents: Annotated[int, Field(ge=0)]
    open_cents: Annotated[int, Field(ge=0)]


class Payout(BaseModel):
    """A transfer to a publisher."""

    __store__: ClassVar = kw.Collection(
        console,
        "payouts",
        id="{payout_id}",
        indexes=[kw.Index(["tenant_id", "-ordered_at"])],
        kind="money",
        expected=90_000,
        active=0.02,
        keep_forever="accounting law: ten years, then archived by the finance job",
    )

    payout_id: UUID
    tenant_id: Annotated[TenantId, kw.Ref(RevenueAccount, on_missing="fail", max_referrers=200)]
    amount_cents: Annotated[int, Field(ge=1)]
    state: Literal["ordered", "sent", "returned"] = "ordered"
    ordered_at: AwareDatetime


open_account = kw.Put(RevenueAccount, if_absent=True, rate="3/day", p99_ms=100)
account_before_payout = kw.Get(RevenueAccount, eq="tenant_id", rate="1.2k/day", peak="5/s", p99_ms=40)
order_payout = kw.Transact(
    [
        kw.Put(Payout, if_absent=True),
        kw.Increment(RevenueAccount, "open_cents", by=-10_000, where={"open_cents": kw.AtLeast(10_000)}),
    ],
    rate="40/day",
    p99_ms=200,
)
payouts_of_tenant = kw.Read(
    Payout, eq="tenant_id", order="-ordered_at", limit=24, consistency="strong", rate="300/day", p99_ms=80
)


class PaymentMethod(BaseModel):
    """The card with which a publisher pays for its plan."""

    __store__: ClassVar = kw.Collection(console, "payment_methods", id="{tenant_id}", expected=1_200)

    tenant_id: Annotated[TenantId, kw.Ref(Tenant, on_missing="fail", max_referrers=1)]
    holder: Annotated[str, Field(max_length=80), kw.Pii()]
    card_number: Annotated[str, Field(pattern=r"^[0-9]{13,19}$", max_length=19), kw.Pii()]
    expires: Annotated[str, Field(pattern=r"^[0-9]{2}/[0-9]{2}$", max_length=5), kw.Pii()]
    added_at: AwareDatetime


save_payment_method = kw.Put(PaymentMethod, rate="10/day", p99_ms=100)
payment_method = kw.Get(PaymentMethod, eq="tenant_id", consistency="strong", rate="100/day", p99_ms=50)
