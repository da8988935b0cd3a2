"""A bare e-mail as a key."""

by_any = kw.Gsi("by_any", pk="gsi1pk", sk="gsi1sk")
flat = kw.DynamoTable("flat", discriminator=None, gsis=[by_any])


class Login(BaseModel):
    __store__: ClassVar = kw.Item(
        flat, pk="LOGIN#{login}", sk="LOGIN", gsis=[by_any.key(pk="LOGIN#{login}", sk="LOGIN")]
    )

    login: str



class User(BaseModel):
    __store__: ClassVar = kw.Item(
        flat, pk="USER#{user_id}", sk="PROFILE", gsis=[by_any.key(pk="{email}", sk="USER")]
    )

    user_id: str
    email: str


user_by_email = kw.Get(User, eq="email", rate="10/s")
