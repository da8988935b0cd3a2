"""Twenty patterns of ad-hoc questions on DynamoDB, and more data than memory in Redis."""

reports = kw.DynamoTable("reports")
archive = kw.RedisServer("archive", role="primary", persistence=[kw.Aof(fsync="everysec"), kw.Rdb()])


class Report(BaseModel):
    __store__: ClassVar = kw.Item(reports, pk="REPORT#{report_id}", sk="REPORT")

    report_id: str
    author: str
    country: str
    rating: int
    at: datetime


class Page(BaseModel):
    __store__: ClassVar = kw.RedisString(archive, key="page:{page_id}", expected=100_000_000)

    page_id: str
    text: Annotated[str, kw.Size(avg=4_000, max=8_000)]


by_author = kw.Read(Report, eq="author", limit=20, rate="1/s")
by_country = kw.Read(Report, eq="country", limit=20, rate="1/s")
by_rating = kw.Read(Report, range="rating", limit=20, rate="1/s")
by_day = kw.Read(Report, range="at", limit=20, rate="1/s")
page = kw.Get(Page, rate="100/s")
