"""Unpadded page numbers."""

flat = kw.DynamoTable("flat")


class Page(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="BOOK#{book}", sk="PAGE#{number}")

    book: str
    number: int
