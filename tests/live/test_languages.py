"""Every language of a collation, with each strength: what is refused in models is what the server refuses."""

from typing import Any

import pytest
from pymongo.errors import OperationFailure
from tests.servers import Start

from keywright.drivers.mongodb import driver as mongodb
from keywright.engines.mongodb.schema.capabilities import LOCALES
from keywright.engines.mongodb.schema.check_index import refused_collation
from keywright.engines.mongodb.schema.reported import collation

pytestmark = pytest.mark.live

UNKNOWN = ("fi_FI", "li", "lk", "klingon")


def reported(words: Any, rules: dict[str, Any]) -> dict[str, Any] | None:
    """The collation of an index as the server has filled it in; None if it refuses it."""
    words.drop()
    try:
        words.create_index("word", name="word", collation=rules)
    except OperationFailure:
        return None
    result: dict[str, Any] = words.index_information()["word"]["collation"]
    return result


def test_a_collation_is_refused_as_the_server_refuses_it_and_described_as_it_was_said(start: Start) -> None:
    languages = [*sorted(LOCALES - {"simple"}), *UNKNOWN]
    every = [{"locale": locale, "strength": strength} for locale in languages for strength in (1, 2, 3, 4, 5)]
    every.append({"locale": "da", "strength": 1, "caseFirst": "off"})
    with mongodb.client(start("mongodb").url) as client:
        for rules in every:
            result = reported(client.languages.words, rules)
            assert (result is None) == (refused_collation(rules) is not None), rules
            assert result is None or collation(result) == rules
        client.drop_database("languages")
