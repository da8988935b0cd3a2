"""What serves a pattern in MongoDB, or why nothing does: one line for each pattern of `patterned`."""

from typing import Any

import pytest
from tests.engines.mongodb.patterned import design, planned, target, verdict

from keywright.access.path import AccessPath, Rejected
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.target import DatabaseTarget
from keywright.record import replace

VERDICTS = [
    ("by_id", "table things"),
    ("by_ids", "table things"),
    ("by_ids_sorted", "table things memory"),
    ("by_ids_in_order", "table things index"),
    ("id_range", "table things index"),
    ("by_serial", "index serial_1"),
    ("by_serials_sorted", "index serial_1 memory"),
    ("of_group", "index group_1_moment_-1 index"),
    ("of_group_oldest", "index group_1_moment_-1 index"),
    ("of_group_range", "index group_1_moment_-1 index"),
    ("of_groups", "index group_1_moment_-1 merge"),
    ("of_group_unsorted", "index group_1_moment_-1"),
    ("of_group_number", "index group_1_number_1_moment_1 index"),
    ("of_group_two_orders", "index group_1_number_1_moment_1 index"),
    ("of_group_two_back", "index group_1_number_1_moment_1 index"),
    (
        "of_group_mixed",
        'index "group_1_moment_-1" does not have the order of "number": the server would sort all results in memory',
    ),
    (
        "of_group_by_title",
        'index "group_1_moment_-1" does not have the order of "title": the server would sort all results in memory',
    ),
    ("of_group_flagged", "index group_1_moment_-1 index flag = :flag"),
    ("of_group_not", "index group_1_moment_-1 index colour != 'red'"),
    ("of_group_present", "index group_1_moment_-1 index nick is present"),
    ("tagged_with", "index tags_1"),
    ("tagged_in_order", "index tags_number index"),
    ("tagged_all", "index tags_1 tags all of :tags"),
    ("tagged_exactly", "index tags_1 tags exactly :tags"),
    ("scored", "index scores_1"),
    (
        "scored_order",
        'index "scores_1" does not have the order of "scores": the server would sort all results in memory',
    ),
    ("with_sku", "index rows.sku_1"),
    ("with_quantity", 'neither "_id" nor an index of "things" starts with "rows.quantity"'),
    ("with_part", "index part.name_1"),
    ("with_part_prefix", "index part.name_1 index"),
    ("with_word", "index word_1"),
    ("with_words", "index word_1"),
    ("any_word", "index word_1 index"),
    ("with_nick", 'neither "_id" nor an index of "things" starts with "nick"'),
    ("flagged", "index flagged index"),
    ("flagged_range", "index flagged index"),
    ("unflagged", 'index "flagged" contains only some documents: add the filter of the index to where= of the pattern'),
    ("coloured", 'index "coloured" has the order, but would be read completely to find "colour = \'red\'"'),
    ("coloured_given", 'index "coloured" has the order, but would be read completely to find "colour = :colour"'),
    ("large", "index large number >= 80"),
    ("small", 'index "flagged" contains only some documents: add the filter of the index to where= of the pattern'),
    ("titled", "index title_1"),
    ("titled_of_group", "index hashed_hashed title = :title"),
    ("in_month", "index monthly index"),
    ("in_months", "index monthly merge"),
    ("with_kept", 'index "kept_1" is hidden, so that the server ignores it: remove hidden='),
    ("with_hash", "index hashed_hashed"),
    ("with_hash_range", 'index "hashed_hashed" contains hashes, and the pattern has no equality condition on "hashed"'),
    ("found", "index body_text_headline_text memory"),
    ("found_body", 'text index "body_text_headline_text" searches "headline" too: a search is over all of its fields'),
    ("nearby", "index place_2dsphere index"),
    ("open_name", "index open.$**_1"),
    (
        "open_sorted",
        'index "open.$**_1" does not have the order of "number": the server would sort all results in memory',
    ),
    ("open_since", "index open.$**_1"),
    ("everything", 'neither "_id" nor an index of "things" starts with "thing_id"'),
    ("everything_in_order", "index serial_1 index"),
    ("numbers_of_group", "index group_1_number_1_moment_1"),
    ("parts_of_group", "index group_1_moment_-1 index"),
    ("strong_thing", "table things"),
    ("session_things", "index group_1_moment_-1 index"),
    ("count_of_group", "index group_1_moment_-1"),
    ("count_flagged", "index flagged"),
    ("count_nothing", 'index "kept_1" is hidden, so that the server ignores it: remove hidden='),
    ("by_day", "index group_1_moment_-1"),
    ("by_week", "index group_1_moment_-1"),
    ("by_case", 'the server does not compute "{title:upper}": group by the field, or by a form of time'),
    (
        "things_around",
        'an index of "things" has no ranks: all documents before would be counted; use a Redis sorted set',
    ),
    ("rank", 'an index of "things" has no ranks: all documents before would be counted; use a Redis sorted set'),
    ("chunk", "table chunks"),
    ("chunks_of", "table chunks owner = :owner"),
    ("chunks_in_order", "table chunks index owner = :owner"),
    ("chunks_range", "table chunks index owner = :owner"),
    ("chunks_of_number", "table chunks index owner = :owner"),
    ("chunks_by_text", '"_id" does not have the order of "text": the server would sort all results in memory'),
    (
        "chunk_numbers",
        '"_id" of "chunks" is computed from "{owner}#{number:pad(4)}#{moment:iso}", and the pattern '
        "has no condition on its start",
    ),
    ("sampled", "index source_1_at_1 merge"),
    ("sampled_ever", "index source_1_at_1 merge"),
    ("sampled_rising", "index source_1_at_1 merge"),
    ("sampled_all", "table samples merge"),
    ("sampled_values", 'buckets are clustered by "at", for which the pattern has no range'),
    ("noted", "index author_1"),
    ("noted_by_mood", 'no index of "writers" finds "Writer" by "mood": each join would scan it'),
    ("put_thing", "table things"),
    ("put_once", "table things"),
    ("put_chunk", "table chunks"),
    ("put_note", "table notes"),
    ("put_note_once", 'the server generates "_id" of "notes", so that no two documents are ever the same'),
    ("put_sample", "table samples"),
    ("set_number", "table things"),
    ("set_by_serial", "index serial_1"),
    (
        "set_of_group",
        '"group" does not identify one document by "group_1_moment_-1": use the key, or a unique index',
    ),
    ("set_quantity", '"rows.quantity" is inside a list or map: set the whole field'),
    ("set_amount", "table things"),
    ("set_spare", '"spare.amount" is inside a field that may be None: set the whole field'),
    ("set_moment", "table things"),
    ("set_colour", '"tagged" is computed from "group" too: add to eq= or sets='),
    ("set_colours", "table things"),
    ("set_key", '"thing_id" is part of the key of "Thing", and a key never changes: delete and put'),
    ("unset_body", '"body" is required, so that no document may lack it'),
    ("unset_word", "table things"),
    ("push_tag", "table things"),
    ("push_score", "table things"),
    ("push_row", "table things"),
    ("add_number", "table things"),
    ("add_amount", "table things"),
    ("drop_thing", "table things"),
    ("drop_flagged", "table things"),
    ("drop_group", "index group_1_moment_-1"),
    ("drop_body", 'neither "_id" nor an index of "things" starts with "body"'),
    ("drop_notes", "index author_1"),
    ("drop_note", 'documents of "Note" have no key: use eq= with a unique index, or declare id='),
    ("drop_samples", "index source_1_at_1"),
    ("set_sample", "measurements of a time series cannot be changed: write another one"),
    ("fill_bucket", "table buckets"),
    ("both", "table patterned"),
    ("take_thing", 'collection "things" has no operation that takes documents: use a Redis list, stream or rate limit'),
]


@pytest.mark.parametrize(("name", "expected"), VERDICTS)
def test_a_pattern_is_served_as_its_indexes_allow(name: str, expected: str) -> None:
    assert verdict(planned(name)) == expected


def test_every_pattern_has_its_line() -> None:
    assert [name for name, _ in VERDICTS] == [pattern.name for pattern in design().patterns]


def without(*indexes: str) -> DatabaseTarget:
    """The database without some indexes of things."""
    database = target()
    changed = [
        replace(collection, indexes=tuple(index for index in collection.indexes if index.name not in indexes))
        for collection in database.collections
    ]
    return replace(database, collections=tuple(changed))


def path(name: str, database: DatabaseTarget | None = None) -> AccessPath:
    access_path = planned(name, database).path
    assert isinstance(access_path, AccessPath)
    return access_path


def test_what_another_index_serves_stays_served() -> None:
    assert verdict(planned("tagged_with", without("tags_1"))) == "index tags_number"
    entry = planned("of_group", without("group_1_moment_-1"))
    assert verdict(entry) == (
        'index "group_1_number_1_moment_1" does not have the order of "moment": '
        "the server would sort all results in memory"
    )


def test_every_candidate_says_why_it_does_not_serve() -> None:
    reasons = {other.by.name: other.reason for other in planned("with_kept").others if isinstance(other, Rejected)}
    reasons |= {entry.by.name: entry.reason for entry in getattr(planned("with_kept").path, "rejected", ())}
    assert reasons["kept_1"] == 'index "kept_1" is hidden, so that the server ignores it: remove hidden='
    assert reasons["tags_1"] == 'index "tags_1" starts with "tags", for which the pattern has no condition'
    assert reasons["body_text_headline_text"] == 'index "body_text_headline_text" serves searches for words only'
    assert reasons["place_2dsphere"] == 'index "place_2dsphere" serves distances only'
    assert len(reasons) == 20


def test_the_key_of_an_entity_is_that_of_its_id() -> None:
    bindings = {binding.name: binding for binding in design().bindings}
    result = {name: ENGINE.key_fields(target(), binding) for name, binding in bindings.items()}
    assert result == {
        "Thing": ("thing_id",),
        "Chunk": ("owner", "number", "moment"),
        "Bucket": ("owner", "start"),
        "Writer": ("name",),
        "Note": (),
        "Sample": (),
    }


def test_consistency_is_that_of_the_pattern() -> None:
    result = {
        name: path(name).consistency for name in ("by_id", "strong_thing", "session_things", "put_thing", "put_chunk")
    }
    assert result == {
        "by_id": "eventual",
        "strong_thing": "strong",
        "session_things": "session",
        "put_thing": "strong",
        "put_chunk": "eventual",
    }


NOTES = [
    ("numbers_of_group", "covered: the server reads only the index"),
    ("titled", "text is compared by the index's collation, not byte by byte: declare collation= in the pattern"),
    ("of_groups", "at most 200 values in a call: with more, the server would sort in memory"),
    ("put_chunk", 'with another "owner" it is another document: the shard key finds the one to replace'),
]


@pytest.mark.parametrize(("name", "note"), NOTES)
def test_a_reader_is_told_what_is_peculiar(name: str, note: str) -> None:
    assert path(name).notes == (note,)


def test_a_collection_of_an_older_version_lacks_fields() -> None:
    database = target()
    shapes = [
        replace(entity, fields=tuple(field for field in entity.fields if field.name != "nick"))
        for entity in database.shape
    ]
    older = replace(database, shape=tuple(shapes))
    assert verdict(planned("with_nick", older)) == 'collection "things" has no field "nick"'
    assert verdict(planned("set_number", older)) == 'collection "things" has no field "nick"'
    gone = replace(database, collections=())
    assert verdict(planned("by_id", gone)) == 'database "patterned" has no collection of "Thing"'


QUERIES: list[tuple[str, Any]] = [
    ("by_id", {"find": "things", "filter": {"_id": ":thing_id"}, "limit": 1}),
    (
        "of_group_range",
        {
            "find": "things",
            "filter": {"group": ":group", "moment": {"$gte": ":moment.first", "$lte": ":moment.last"}},
            "sort": {"moment": -1},
            "limit": 25,
            "hint": "group_1_moment_-1",
        },
    ),
    (
        "scored",
        {
            "find": "things",
            "filter": {"scores": {"$elemMatch": {"$gte": ":scores.first", "$lte": ":scores.last"}}},
            "limit": 20,
            "hint": "scores_1",
        },
    ),
    (
        "titled",
        {
            "find": "things",
            "filter": {"title": ":title"},
            "limit": 20,
            "hint": "title_1",
            "collation": {"locale": "en", "strength": 2},
        },
    ),
    (
        "chunks_range",
        {
            "find": "chunks",
            "filter": {
                "_id": {"$gte": "{owner}#{number:pad(4)}.first", "$lt": "{owner}#{number:pad(4)}.last\uffff"},
                "owner": ":owner",
                "number": {"$gte": ":number.first", "$lte": ":number.last"},
            },
            "sort": {"_id": 1},
            "limit": 7,
            "hint": "_id_",
        },
    ),
    (
        "set_number",
        {
            "updateOne": "things",
            "filter": {"_id": ":thing_id", "flag": True, "_kw_v": {"$not": {"$gt": 1}}},
            "update": {"$set": {"number": ":number", "word": ":word", "nick": ":nick"}},
            "writeConcern": {"w": "majority"},
        },
    ),
    (
        "set_moment",
        {
            "updateOne": "things",
            "filter": {"_id": ":thing_id", "_kw_v": {"$not": {"$gt": 1}}},
            "update": {"$set": {"moment": ":moment", "month": "{moment:month}"}},
            "writeConcern": {"w": "majority"},
        },
    ),
    (
        "fill_bucket",
        {
            "updateOne": "buckets",
            "filter": {"_id": "{owner}_{start:hour}", "values.2": {"$exists": False}, "_kw_v": {"$not": {"$gt": 1}}},
            "update": {"$set": {"count": ":count"}, "$push": {"values": ":values"}},
            "writeConcern": {"w": "majority"},
        },
    ),
    ("drop_notes", {"deleteMany": "notes", "filter": {"author": ":author"}, "writeConcern": {"w": "majority"}}),
    (
        "both",
        {
            "transaction": [
                {"insertOne": "things", "document": ":document"},
                {
                    "findAndModify": "buckets",
                    "query": {"_id": "{owner}_{start:hour}", "count": {"$lt": 5}, "_kw_v": {"$not": {"$gt": 1}}},
                    "update": {"$inc": {"count": ":by"}},
                },
            ],
            "writeConcern": {"w": "majority"},
        },
    ),
]


@pytest.mark.parametrize(("name", "query"), QUERIES)
def test_a_query_is_shown_as_a_person_would_send_it(name: str, query: Any) -> None:
    assert ENGINE.query(planned(name)) == query


def test_every_served_pattern_has_a_query_and_a_cost() -> None:
    for name, _ in VERDICTS:
        entry = planned(name)
        if entry.is_served:
            assert ENGINE.query(entry)
            assert ENGINE.cost(entry).unit == "documents"
