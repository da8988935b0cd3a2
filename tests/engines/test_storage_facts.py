"""Storage facts of entities, the input of rules for every engine."""

from keywright import api
from keywright.api.check.evaluate import context_of
from keywright.engines.contract.storage_facts import StorageFacts
from keywright.engines.findings.pattern_facts import expected, identity
from keywright.engines.registry import ENGINES

CONTEXT = context_of(api.compile(api.load("."), "prod"))
BINDINGS = {binding.name: binding for binding in CONTEXT.design.bindings}


def storage_facts(name: str) -> StorageFacts:
    facts = CONTEXT.storage_facts(BINDINGS[name])
    assert facts is not None
    return facts


def test_every_entity_of_the_example_has_storage_facts() -> None:
    assert [name for name in BINDINGS if CONTEXT.storage_facts(BINDINGS[name]) is None] == []


def test_a_document_has_its_limit_and_the_indexes_that_only_serve_reads() -> None:
    post = storage_facts("Post")
    assert (post.noun, post.limit) == ("document", 16 * 2**20)
    assert {by.name for by in post.read_indexes} == {"author_id_1_created_at_-1", "tags_1", "title_text_body_text"}
    assert set(post.fields) == {attribute.name for attribute in BINDINGS["Post"].entity.attributes}


def test_a_shard_key_is_not_an_index_that_only_serves_reads() -> None:
    assert storage_facts("Person").read_indexes == ()


def test_an_item_is_at_least_as_large_as_its_fields() -> None:
    for name, binding in BINDINGS.items():
        if binding.engine in ("dynamodb", "mongodb"):
            facts = storage_facts(name)
            assert facts.item.low >= max(size.low for size in facts.fields.values())


def test_what_has_no_expected_size_is_estimated_from_below() -> None:
    session = storage_facts("Session")
    assert session.usual is not None
    assert session.usual > 1_900


def test_the_expected_number_is_declared_or_follows_from_the_key() -> None:
    assert expected(BINDINGS["Post"]) == 400_000
    assert expected(BINDINGS["User"]) == 2_000_000
    assert expected(BINDINGS["Message"]) == 2_000_000_000
    assert expected(BINDINGS["Book"]) is None


def test_items_are_identified_by_the_fields_of_their_keys() -> None:
    assert identity(BINDINGS["Order"]) == {"user_id", "placed_at", "order_id"}
    assert identity(BINDINGS["ViewingEvent"]) == {"viewer_id", "month", "watched_at", "show_id"}


def test_every_engine_declares_its_traits() -> None:
    assert {engine.name for engine in ENGINES if engine.traits.is_in_memory} == {"redis"}
    assert {engine.name for engine in ENGINES if "aggregate" in engine.traits.answers} == {"mongodb"}
