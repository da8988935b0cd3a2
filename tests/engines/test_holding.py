"""How entities are held, as rules of every engine are told of it."""

from keywright import api
from keywright.api.judged import whole_of
from keywright.engines.flaws.asked import expected, identity
from keywright.engines.holding import Holding
from keywright.engines.registry import ENGINES

WHOLE = whole_of(api.compile(api.load("."), "prod"))
BINDINGS = {one.name: one for one in WHOLE.design.bindings}


def held(name: str) -> Holding:
    found = WHOLE.holding(BINDINGS[name])
    assert found is not None
    return found


def test_every_entity_of_the_example_is_held_somewhere() -> None:
    assert [name for name in BINDINGS if WHOLE.holding(BINDINGS[name]) is None] == []


def test_a_document_is_told_with_its_limit_and_the_indexes_that_are_for_reads_alone() -> None:
    post = held("Post")
    assert (post.noun, post.limit) == ("document", 16 * 2**20)
    assert {by.name for by in post.ways} == {"author_id_1_created_at_-1", "tags_1", "title_text_body_text"}
    assert set(post.fields) == {one.name for one in BINDINGS["Post"].entity.attributes}


def test_what_spreads_documents_over_shards_is_not_for_reads_alone() -> None:
    assert held("Person").ways == ()


def test_an_item_is_at_least_as_large_as_its_fields() -> None:
    for name, binding in BINDINGS.items():
        if binding.engine in ("dynamodb", "mongodb"):
            assert held(name).item.low >= max(size.low for size in held(name).fields.values())


def test_what_has_no_expected_size_is_estimated_from_below() -> None:
    session = held("Session")
    assert session.usual is not None
    assert session.usual > 1_900


def test_how_many_there_will_be_is_said_or_follows_from_the_key() -> None:
    assert expected(BINDINGS["Post"]) == 400_000
    assert expected(BINDINGS["User"]) == 2_000_000
    assert expected(BINDINGS["Message"]) == 2_000_000_000
    assert expected(BINDINGS["Book"]) is None


def test_what_items_are_found_by_are_the_fields_of_their_keys() -> None:
    assert identity(BINDINGS["Order"]) == {"user_id", "placed_at", "order_id"}
    assert identity(BINDINGS["ViewingEvent"]) == {"viewer_id", "month", "watched_at", "show_id"}


def test_every_engine_says_what_it_is_made_for() -> None:
    assert {one.name for one in ENGINES if one.traits.is_in_memory} == {"redis"}
    assert {one.name for one in ENGINES if "aggregate" in one.traits.answers} == {"mongodb"}
