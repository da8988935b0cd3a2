"""Five global indexes that all project everything, and all change with each write."""

names = ["by_a", "by_b", "by_c", "by_d", "by_e", "by_f"]
by_a, by_b, by_c, by_d, by_e, by_f = (kw.Gsi(name, pk=name[-1], sk="at") for name in names)
wide = kw.DynamoTable("wide", gsis=[by_a, by_b, by_c, by_d, by_e, by_f])


class Row(BaseModel):
    __store__: ClassVar = kw.Item(wide, pk="ROW#{row_id}", sk="ROW")

    row_id: str
    a: str
    b: str
    c: str
    d: str
    e: str
    f: str
    at: datetime
    text: Annotated[str, Field(max_length=2_000)]


put_row = kw.Put(Row, rate="100/s")
rows_by_a = kw.Read(Row, eq="a", order="-at", limit=20, fields=["row_id", "a", "at"], rate="1/s")
rows_by_b = kw.Read(Row, eq="b", order="-at", limit=20, fields=["row_id", "b", "at"], rate="1/s")
rows_by_c = kw.Read(Row, eq="c", order="-at", limit=20, fields=["row_id", "c", "at"], rate="1/s")
rows_by_d = kw.Read(Row, eq="d", order="-at", limit=20, fields=["row_id", "d", "at"], rate="1/s")
rows_by_e = kw.Read(Row, eq="e", order="-at", limit=20, fields=["row_id", "e", "at"], rate="1/s")
rows_by_f = kw.Read(Row, eq="f", order="-at", limit=20, fields=["row_id", "f", "at"], rate="1/s")
