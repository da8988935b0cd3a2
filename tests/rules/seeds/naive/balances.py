"""Money that is read as it happens to be, in three stores."""

by_account = kw.Gsi("by_account", pk="account")
bank = kw.DynamoTable("bank", gsis=[by_account])
ledger = kw.MongoDatabase("ledger")
books = kw.Keyspace("books")


class Balance(BaseModel):
    __store__: ClassVar = kw.Item(bank, pk="USER#{user_id}", sk="BALANCE", kind="money")

    user_id: str
    account: str
    cents: int


class Entry(BaseModel):
    __store__: ClassVar = kw.Collection(ledger, "entries", id="{entry_id}", kind="money")

    entry_id: str
    cents: int


class Page(BaseModel):
    __store__: ClassVar = kw.CqlTable(books, "pages", partition="account", clustering="-number", kind="money")

    account: str
    number: int
    cents: int


balance = kw.Get(Balance, eq="user_id", rate="50/s")
balance_by_account = kw.Get(Balance, eq="account", consistency="strong", rate="50/s")
entry = kw.Get(Entry, consistency="strong", rate="50/s")
put_entry = kw.Put(Entry, consistency="eventual", rate="50/s")
put_page = kw.Put(Page, consistency="eventual", rate="50/s")
pages = kw.Read(Page, eq="account", order="-number", limit=20, consistency="strong", rate="50/s")
