"""Money read through an index."""

by_any = kw.Gsi("by_any", pk="gsi1pk", sk="gsi1sk")
flat = kw.DynamoTable("flat", discriminator=None, gsis=[by_any])


class Login(BaseModel):
    __store__: ClassVar = kw.Item(
        flat, pk="LOGIN#{login}", sk="LOGIN", gsis=[by_any.key(pk="LOGIN#{login}", sk="LOGIN")]
    )

    login: str



class Balance(BaseModel):
    __store__: ClassVar = kw.Item(
        flat, pk="USER#{user_id}", sk="BALANCE", gsis=[by_any.key(pk="ACCOUNT#{account}", sk="BALANCE")], kind="money"
    )

    user_id: str
    account: str
    cents: int


balance = kw.Get(Balance, eq="user_id", rate="50/s")
balance_by_account = kw.Get(Balance, eq="account", consistency="strong", rate="50/s")
charge = kw.Increment(Balance, "cents", by=-100, where={"cents": kw.AtLeast(100)}, rate="20/s")
