"""Conversations in the order of their last message: the key has what changes, and the index repeats the table."""

by_user = kw.Gsi("by_user", pk="gsi1pk", sk="gsi1sk")
chat = kw.DynamoTable("chat", gsis=[by_user])


class Conversation(BaseModel):
    __store__: ClassVar = kw.Item(
        chat, pk="USER#{user_id}", sk="CONV#{last_message_at:iso}",
        gsis=[by_user.key(pk="USER#{user_id}", sk="CONV#{last_message_at:iso}")],
    )  # fmt: skip

    user_id: str
    last_message_at: datetime


conversations = kw.Read(Conversation, eq="user_id", order="-last_message_at", limit=20, rate="100/s")
new_message = kw.Update(Conversation, sets="last_message_at", rate="2k/s")
