"""Translations of messages between members who do not share a language."""

from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel

import keywright as kw
from models.common import ConversationId, Language

to_translate = kw.Gsi(
    "to_translate", pk="gsi1pk", sk="gsi1sk", project=["message_id", "conversation_id", "target", "queued_at"]
)

translations = kw.DynamoTable("translations", owner="messaging", gsis=[to_translate])


class TranslationJob(BaseModel):
    """A message that a worker has to translate; the entry goes a day later."""

    __store__: ClassVar = kw.Item(
        translations,
        pk="MESSAGE#{message_id}",
        sk="TRANSLATION",
        gsis=[to_translate.key(pk="JOBS#{state}", sk="{queued_at:iso}", where={"state": "waiting"})],
        kind="queue",
        expected=21_000_000,
    )

    message_id: UUID
    conversation_id: ConversationId
    target: Language
    state: Literal["waiting", "running", "done"] = "waiting"
    queued_at: AwareDatetime
    expires_at: Annotated[AwareDatetime, kw.Ttl()]


queue_translation = kw.Put(TranslationJob, if_absent=True, rate="250/s", peak="1.2k/s", p99_ms=50)
waiting_translations = kw.Read(
    TranslationJob,
    where={"state": "waiting"},
    order="queued_at",
    limit=25,
    fields=["message_id", "conversation_id", "target", "queued_at"],
    rate="20/s",
    peak="80/s",
    p99_ms=60,
)
begin_translation = kw.Update(
    TranslationJob,
    eq=["message_id", "queued_at"],
    sets="state",
    where={"state": "waiting"},
    rate="250/s",
    peak="1.2k/s",
    p99_ms=50,
)
finish_translation = kw.Update(
    TranslationJob,
    eq=["message_id", "queued_at"],
    sets="state",
    where={"state": "running"},
    rate="250/s",
    peak="1.2k/s",
    p99_ms=50,
)
