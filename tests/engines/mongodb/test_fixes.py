"""The smallest declaration that heals a pattern: found, within limits, and what lowering it gives."""

from pathlib import Path
from typing import Any

import pytest
from tests.engines.mongodb.designs import database_of, design_of, shop, stored_in
from tests.engines.mongodb.patterned import design, planned, target

import keywright as kw
from keywright import api
from keywright.access.path import PatternFix
from keywright.access.search import Planned, plan, smallest_fix
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.target import DatabaseTarget, IndexTarget
from keywright.ir.binding import Binding
from keywright.record import replace

ROOT = Path(__file__).parents[3]

FIXES = [
    ("of_group_mixed", 'kw.Index(["group", "number", "-moment"])'),
    ("of_group_by_title", 'kw.Index(["group", "title"])'),
    ("scored_order", None),
    ("with_quantity", 'kw.Index("rows.quantity")'),
    ("with_nick", 'kw.Index("nick")'),
    ("unflagged", 'kw.Index("number")'),
    ("coloured", 'kw.Index(["colour", "moment"])'),
    ("small", 'kw.Index("number")'),
    ("with_kept", None),
    ("with_hash_range", 'kw.Index("hashed")'),
    ("found_body", None),
    ("open_sorted", 'kw.Index(["open.name", "number"])'),
    ("everything", None),
    ("chunks_by_text", 'kw.Index(["owner", "text"])'),
    ("sampled_values", 'kw.Index("value")'),
    ("set_of_group", 'kw.Index("group", unique=True)'),
    ("set_colour", None),
    ("rank", None),
    ("take_thing", None),
    ("put_note_once", None),
]


@pytest.mark.parametrize(("name", "text"), FIXES)
def test_the_smallest_fix_is_one_new_index(name: str, text: str | None) -> None:
    entry = planned(name)
    assert not entry.is_served
    fix = smallest_fix(ENGINE, entry)
    assert (fix.text if fix else None) == text
    if fix:
        assert (fix.subject, fix.argument) == (entry.binding.name, "indexes")
        assert fix.write_cost >= 1
        assert plan(ENGINE, fix.target, entry.binding, entry.pattern).is_served


def only(found: Any, name: str = "declared") -> tuple[DatabaseTarget, Planned[DatabaseTarget]]:
    (pattern,), bindings = found.patterns, {binding.name: binding for binding in found.bindings}
    (declared,) = ENGINE.lower(found)
    database = ENGINE.place(declared, ENGINE.localise(None, "6.0"))
    return database, plan(ENGINE, database, bindings[pattern.binding], pattern)


FIELDS: dict[str, Any] = {
    "word": str,
    "number": int,
    "list": list[str],
    "other": list[str],
    "body": str,
    "at": dict[str, float],
}

LOWERED = [
    ({}, {"eq": "word", "order": "-number"}, lambda: kw.Index(["word", "-number"])),
    ({}, {"eq": "word", "order": ["-number", "body"]}, lambda: kw.Index(["word", "-number", "body"])),
    ({}, {"eq": "word", "range": "number"}, lambda: kw.Index(["word", "number"])),
    ({}, {"eq": "body", "range": "number", "order": "word"}, lambda: kw.Index(["body", "word", "number"])),
    ({}, {"one_of": "word", "order": "number"}, lambda: kw.Index(["word", "number"])),
    ({}, {"contains": "list"}, lambda: kw.Index("list")),
    ({}, {"contains": "list", "all_of": "other"}, lambda: kw.Index("list")),
    ({}, {"all_of": "list", "eq": "word"}, lambda: kw.Index(["word", "list"])),
    ({}, {"exactly": "list"}, lambda: kw.Index("list")),
    ({}, {"prefix": "word"}, lambda: kw.Index("word")),
    ({}, {"eq": "word", "where": {"number": 1}}, lambda: kw.Index(["word", "number"])),
    ({}, {"search": ["word", "body"]}, lambda: kw.TextIndex(["word", "body"])),
    ({}, {"search": "body"}, lambda: kw.TextIndex("body")),
    ({}, {"near": "at"}, lambda: kw.GeoIndex("at")),
    ({"settings": {"collation": {"locale": "fr"}}}, {"eq": "word"}, lambda: kw.Index("word")),
    ({"indexes": [kw.Index("word", where={"number": 1})]}, {"eq": "word"}, lambda: kw.Index("word", name="word_1_2")),
]  # fmt: skip


@pytest.mark.parametrize(("options", "asked", "declared"), LOWERED)
def test_a_fix_is_what_lowering_the_edited_model_gives(options: Any, asked: Any, declared: Any) -> None:
    index = declared()
    model = stored_in(kw.Collection(shop, "things", **options), FIELDS)
    _, entry = only(design_of(model, kw.Read(model, limit=10, **asked)))
    fix = smallest_fix(ENGINE, entry)
    assert fix is not None
    edited = stored_in(
        kw.Collection(shop, "things", **{**options, "indexes": [*options.get("indexes", []), index]}), FIELDS
    )
    assert fix.target == ENGINE.place(database_of(edited), ENGINE.localise(None, "6.0"))
    created = eval(fix.text, {"kw": kw})
    assert vars_of(created) == vars_of(index)


def vars_of(index: Any) -> dict[str, Any]:
    return {key: value for key, value in vars(index).items() if key not in ("__at__", "__module_name__")}


def test_no_fix_goes_beyond_the_limits() -> None:
    full = [kw.Index(["number", "word"], name=f"index_{at}", where={"number": at}) for at in range(63)]
    model = stored_in(kw.Collection(shop, "things", indexes=full), FIELDS)
    _, entry = only(design_of(model, kw.Read(model, eq="body", limit=10)))
    assert smallest_fix(ENGINE, entry) is None
    model = stored_in(kw.Collection(shop, "things", indexes=full[:-1]), FIELDS)
    _, entry = only(design_of(model, kw.Read(model, eq="body", limit=10)))
    assert smallest_fix(ENGINE, entry) is not None


def test_a_second_text_index_is_no_fix() -> None:
    model = stored_in(kw.Collection(shop, "things", indexes=[kw.TextIndex("word")]), FIELDS)
    _, entry = only(design_of(model, kw.Read(model, search="body", limit=10)))
    assert smallest_fix(ENGINE, entry) is None


def test_a_join_is_healed_where_the_other_entity_stands() -> None:
    author = stored_in(kw.Collection(shop, "authors"), {"code": str, "name": str}, "Author")
    model = stored_in(kw.Collection(shop, "books", id="{isbn}"), {"isbn": str, "author": str}, "Book")
    join = kw.Join(author, on={"author": "code"}, fields="name")
    result = design_of(author, model, kw.Read(model, one_of="isbn", limit=10, joins=[join]))
    _, entry = only(result)
    assert (
        getattr(entry.path, "reason", "") == 'no index of "authors" finds "Author" by "code": each join would scan it'
    )
    fix = smallest_fix(ENGINE, entry)
    assert fix is not None
    assert (fix.text, fix.subject) == ('kw.Index("code")', "Author")


def _example() -> list[tuple[DatabaseTarget, str, IndexTarget]]:
    """Every index that the worked example declares: (database without it, collection, index)."""
    result: list[tuple[DatabaseTarget, str, IndexTarget]] = []
    for declared in ENGINE.lower(api.load(str(ROOT)).design.of_engine("mongodb")):
        database = ENGINE.place(declared, ENGINE.localise(None, "6.0"))
        for collection in database.collections:
            for index in collection.indexes:
                if index.expire_after_seconds is None and collection.series is None:
                    less = replace(
                        collection,
                        indexes=tuple(index_target for index_target in collection.indexes if index_target is not index),
                    )
                    rest = tuple(
                        less if collection_target is collection else collection_target
                        for collection_target in database.collections
                    )
                    result.append((replace(database, collections=rest), collection.name, index))
    return result


def test_without_an_index_of_the_example_its_patterns_are_healed() -> None:
    of_engine = api.load(str(ROOT)).design.of_engine("mongodb")
    bindings: dict[str, Binding] = {entry.name: entry for entry in of_engine.bindings}
    healed: dict[str, list[str]] = {}
    for database, collection, index in _example():
        for pattern in of_engine.patterns:
            binding = bindings.get(pattern.binding)
            if binding is None or binding.physical.name != database.declared:
                continue
            entry = plan(ENGINE, database, binding, pattern)
            if not entry.is_served:
                fix: PatternFix[Any] | None = smallest_fix(ENGINE, entry)
                assert fix is not None, pattern.name
                healed.setdefault(f"{collection} {index.name}", []).append(f"{pattern.name}: {fix.text}")
    # Without theirs, hours of sensors are read by the index of their expiry, and those of other sensors left out.
    assert healed == {
        "books author_ids_1": ['books_of_author: kw.Index("author_ids")'],
        "categories ancestors_1": ['subtree: kw.Index("ancestors")'],
        "cities place_2dsphere": ['cities_near: kw.GeoIndex("place")'],
        "orders placed_at_1": ['revenue_by_category: kw.Index(["status", "placed_at"])'],
        "orders user_id_1_placed_at_-1": ['reported_orders_of_user: kw.Index(["user_id", "-placed_at"])'],
        "people city_id_1_name_1": ['people_of_city: kw.Index(["city_id", "name"])'],
        "posts author_id_1_created_at_-1": ['posts_of_author: kw.Index(["author_id", "-created_at"])'],
        "posts slug_1": ['post_by_slug: kw.Index(["slug", "published"])'],
        "posts tags_1": ['posts_with_tag: kw.Index("tags")'],
        "posts title_text_body_text": ['search_posts: kw.TextIndex(["title", "body"])'],
        "readers email_1": ['reader_by_email: kw.Index("email", collation=kw.Collation(locale="en", strength=2))'],
        "remembered_devices user_id_1_seen_at_-1": ['devices_of_user: kw.Index(["user_id", "-seen_at"])'],
        "students teacher_ids_1": [
            'students_of_teacher: kw.Index("teacher_ids")',
            'students_with_all_teachers: kw.Index("teacher_ids")',
            'students_with_same_teachers: kw.Index("teacher_ids")',
        ],
    }


def test_served_patterns_of_the_models_need_no_fix() -> None:
    names = {name for name, _ in FIXES}
    unserved = {pattern.name for pattern in design().patterns if not planned(pattern.name).is_served}
    assert names <= unserved
    assert target().name == "patterned"
