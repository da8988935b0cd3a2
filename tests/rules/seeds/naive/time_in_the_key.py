"""A time that changes in the key."""

flat = kw.DynamoTable("flat")


class Conversation(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="USER#{user_id}", sk="CONV#{last_message_at:iso}")

    user_id: str
    conversation_id: str
    last_message_at: datetime


new_message = kw.Update(Conversation, sets="last_message_at", rate="2k/s")
