"""Names of classes and fields that an engineer would give to the families of a Redis server."""

from collections.abc import Mapping
from typing import Any

import pytest
from tests.adopt.test_redis import adopted

from keywright.edit.create.model_file import ModelFile, source_of

JSON = b'{"id":1}'
SCORES = [(b"p", 5.0)]
TIMES = [(b"p", 1767225600.0), (b"q", 1767225700.0)]
PLACES = [(b"p", 3663832614298053.0)]
CASES: Mapping[str, tuple[str, Mapping[str, Any], str, str]] = {
    "events of a thing": ("stream", {"events:orders": [{b"id": b"1"}]}, "OrderEvent", "events:orders"),
    "a period at the end": ("zset", {f"scores:{n}:daily": SCORES for n in range(3)}, "DailyScore",
                            "scores:{board_id}:daily"),
    "an abbreviation": ("zset", {f"lb:{n}": SCORES for n in range(3)}, "LeaderboardEntry", "lb:{board_id}"),
    "a ranking": ("zset", {f"rank:{n}": SCORES for n in range(3)}, "RankingEntry", "rank:{board_id}"),
    "a conversation": ("stream", {f"chat:{n}": [{b"text": b"x"}] for n in range(3)}, "ChatMessage", "chat:{chat_id}"),
    "a word that is repeated": ("hash", {f"app:session:sessions:{n}": {b"user": b"x"} for n in range(3)}, "AppSession",
                                "app:session:sessions:{session_id}"),
    "counters": ("string", {f"views:page:{n}": b"5" for n in range(3)}, "PageViews", "views:page:{page_id}"),
    "counters of a day": ("string", {f"stats:2026-01-0{n}:orders": b"5" for n in range(1, 4)}, "DailyOrders",
                          "stats:{day:date}:orders"),
    "one object of all": ("hash", {"config:limits": {b"uploads": b"1"}}, "ConfigLimits", "config:limits"),
    "what is cached": ("string", {f"cache:product:{n}": b"x" for n in range(3)}, "CachedProduct",
                       "cache:product:{product_id}"),
    "a lock": ("string", {f"lock:invoice:{n}": b"x" for n in range(3)}, "InvoiceLock", "lock:invoice:{invoice_id}"),
    "a queue": ("list", {"queue:emails": [JSON]}, "EmailJob", "queue:emails"),
    "a part of a thing": ("hash", {f"cart_header:{n}": {b"total": b"1"} for n in range(3)}, "CartHeader",
                          "cart_header:{cart_id}"),
    "places of an area": ("zset", {f"drivers:{word}": PLACES for word in ("north", "south", "west")}, "Driver",
                          "drivers:{area}"),
    "members of a thing": ("set", {f"tags:{n}": [b"red"] for n in range(3)}, "Tag", "tags:{item_id}"),
    "members of one user": ("set", {f"user:{n}:tags": [b"red"] for n in range(3)}, "UserTag", "user:{user_id}:tags"),
}  # fmt: skip


@pytest.mark.parametrize(("type", "values", "name", "key"), CASES.values(), ids=CASES)
def test_a_family_is_named_in_the_order_of_speech(type: str, values: Mapping[str, Any], name: str, key: str) -> None:
    (binding,) = adopted(type, values).design.bindings
    assert (binding.name, binding.spec.key) == (name, key)


def source(type: str, values: Mapping[str, Any]) -> str:
    found = adopted(type, values)
    return source_of(ModelFile("Adopted.", found.design, found.comments))


def test_keys_that_differ_in_one_word_are_one_entity() -> None:
    queues = {f"queue:{word}": [JSON] for word in ("emails", "reports", "webhooks")}
    text = source("list", queues)
    assert "class QueuedJob(BaseModel):\n" in text
    assert 'key="queue:{queue}"' in text
    assert '    queue: Literal["emails", "reports", "webhooks"]\n    id: int\n' in text
    flags = {f"feature:{word}": b"true" for word in ("checkout", "search", "signup")}
    assert '    feature: Literal["checkout", "search", "signup"]\n    enabled: bool\n' in source("string", flags)


@pytest.mark.parametrize(
    "other",
    [
        {"queue:reports": [JSON], "queue:webhooks": [b'{"url":"x"}']},
        {"queue:reports": [JSON]},
        {"queue:reports": [JSON], "queue:webhooks": [b'{"id":"x"}']},
    ],
    ids=["other fields", "only two", "other types"],
)
def test_keys_with_other_contents_stay_apart(other: Mapping[str, Any]) -> None:
    found = adopted("list", {"queue:emails": [JSON], **other}).design.bindings
    assert len(found) == len(other) + 1


def test_siblings_stay_apart_if_another_key_could_be_one_of_them() -> None:
    values = {f"queue:{word}": b"x" for word in ("emails", "reports", "webhooks")}
    found = adopted("string", {**values, "queue:mails": JSON})
    assert not found.not_expressed
    assert len(found.design.bindings) == 4


@pytest.mark.parametrize(
    ("key", "scores", "field"),
    [
        ("delayed_jobs", TIMES, 'due_at: Annotated[datetime, kw.Precision("seconds")]'),
        ("visits", TIMES, 'at: Annotated[datetime, kw.Precision("seconds")]'),
        ("visits", [(m, s * 1000 + 1) for m, s in TIMES], 'at: Annotated[datetime, kw.Precision("milliseconds")]'),
        ("visits", [(m, s + 0.25) for m, s in TIMES], "at: datetime"),
        ("visits", [*TIMES, (b"r", 5.0)], "score: int"),
        ("visits", [(m, s * 1_000_000) for m, s in TIMES], "score: int"),
    ],
)
def test_scores_that_are_times_are_datetimes(key: str, scores: Any, field: str) -> None:
    assert f"    member: str\n    {field}\n" in source("zset", {key: scores})


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({f"email_to_user:a{n}@x.org": b"5" for n in range(3)}, "user_id: int"),
        ({f"code_to_country:{n}": b"fr" for n in range(3)}, "country: str"),
        ({f"user:{n}:bio": b"text" for n in range(3)}, "value: str"),
    ],
)
def test_a_single_value_is_named_by_the_key(values: Mapping[str, Any], field: str) -> None:
    assert f"    {field}\n" in source("string", values)


def test_the_docstring_says_only_what_the_declaration_does_not() -> None:
    assert '"""' not in source("hash", {f"user:{n}": {b"name": b"x"} for n in range(3)}).replace('"""Adopted."""', "")
