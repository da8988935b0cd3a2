"""A cache without end and without a source."""

cache = kw.RedisServer("cache", role="cache")


class CachedProduct(BaseModel):
    __store__: ClassVar = kw.RedisString(cache, key="product:{sku}", kind="cache")

    sku: str
    name: Annotated[str, Field(max_length=80)]


cached_product = kw.Get(CachedProduct, rate="1k/s")
put_product = kw.Put(CachedProduct, rate="10/s")
