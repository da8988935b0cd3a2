"""An e-mail that many copy, and one that nobody says the source of."""

shop = kw.MongoDatabase("shop")


class User(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "users", id="{user_id}")

    user_id: str
    email: Annotated[str, Field(max_length=80)]


class Copy1(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "copies1", id="{copy_id}")

    copy_id: str
    user_id: Annotated[str, kw.Ref(User, on_missing="ignore", max_referrers=100)]
    email: Annotated[str, Field(max_length=80), kw.CopiedFrom(User, "email", sync="stream")]


class Copy2(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "copies2", id="{copy_id}")

    copy_id: str
    user_id: Annotated[str, kw.Ref(User, on_missing="ignore", max_referrers=100)]
    email: Annotated[str, Field(max_length=80), kw.CopiedFrom(User, "email", sync="stream")]


class Copy3(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "copies3", id="{copy_id}")

    copy_id: str
    user_id: Annotated[str, kw.Ref(User, on_missing="ignore", max_referrers=100)]
    email: Annotated[str, Field(max_length=80), kw.CopiedFrom(User, "email", sync="stream")]


class Copy4(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "copies4", id="{copy_id}")

    copy_id: str
    user_id: Annotated[str, kw.Ref(User, on_missing="ignore", max_referrers=100)]
    email: Annotated[str, Field(max_length=80), kw.CopiedFrom(User, "email", sync="stream")]


class Invoice(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "invoices", id="{invoice_id}")

    invoice_id: str
    user_id: Annotated[str, kw.Ref(User, on_missing="ignore", max_referrers=100)]
    user_email: Annotated[str, Field(max_length=80)]


user = kw.Get(User, rate="1/s")
copy1 = kw.Get(Copy1, rate="1/s")
copy2 = kw.Get(Copy2, rate="1/s")
copy3 = kw.Get(Copy3, rate="1/s")
copy4 = kw.Get(Copy4, rate="1/s")
invoice = kw.Get(Invoice, rate="1/s")
