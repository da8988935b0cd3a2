"""Thirty-six million ids on the side of the city, and links that both sides keep."""

world = kw.MongoDatabase("world")


class City(BaseModel):
    __store__: ClassVar = kw.Collection(world, "cities", id="{city_id}")

    city_id: str
    person_ids: list[Annotated[str, kw.Ref("Person", on_missing="ignore", max_referrers=1)]]


class Person(BaseModel):
    __store__: ClassVar = kw.Collection(world, "people", id="{person_id}")

    person_id: str
    city_id: Annotated[str, kw.Ref(City, on_missing="ignore", max_referrers=36_000_000)]


class Capital(BaseModel):
    __store__: ClassVar = kw.Collection(world, "capitals", id="{capital_id}")

    capital_id: str
    country_id: Annotated[str, kw.Ref("Country", on_missing="ignore", max_referrers=1)]


class Country(BaseModel):
    __store__: ClassVar = kw.Collection(world, "countries", id="{country_id}")

    country_id: str


city = kw.Get(City, rate="1/s")
person = kw.Get(Person, rate="1/s")
country = kw.Get(Country, rate="1/s")
capital = kw.Get(Capital, rate="1/s")
