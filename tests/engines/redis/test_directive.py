"""One text for every value, whichever way it is written."""

from typing import get_args

import pytest

from keywright.engines.redis.schema.capabilities import DIRECTIVES, OWN_WORDS, PROCESS
from keywright.engines.redis.schema.directive import FORMS, DirectiveKind, canonical, written

SAME = [
    ("activedefrag", "YES", "yes"),
    ("hz", "010", "10"),
    ("maxmemory", "1gb", "1073741824"),
    ("maxmemory", "1g", "1000000000"),
    ("maxmemory", "64MB", "67108864"),
    ("maxmemory-clients", "5%", "5%"),
    ("maxmemory-clients", "0%", "0"),
    ("maxmemory-policy", "ALLKEYS-LRU", "allkeys-lru"),
    ("shutdown-on-sigterm", "now save", "save now"),
    ("notify-keyspace-events", "KEA", "AKE"),
    ("notify-keyspace-events", "Ex", "xE"),
    ("notify-keyspace-events", "KEg$lshzxetd", "AKE"),
    ("notify-keyspace-events", "mn", "nm"),
    ("client-output-buffer-limit", "pubsub 64mb 16mb 90",
     "normal 0 0 0 slave 268435456 67108864 60 pubsub 67108864 16777216 90"),
    ("client-output-buffer-limit", "replica 1 2 3", "normal 0 0 0 slave 1 2 3 pubsub 33554432 8388608 60"),
    ("latency-tracking-info-percentiles", "50 99.90", "50 99.9"),
    ("save", "60 10000 3600 1", "3600 1 60 10000"),
    ("save", "", ""),
]  # fmt: skip

REFUSED = [
    ("activedefrag", "true", "yes or no"),
    ("hz", "10.5", "a whole number from 1 to 500"),
    ("hz", "501", "a number from 1 to 500"),
    ("maxclients", "0", "a number from 1 on"),
    ("maxmemory", "1.5gb", "a size such as 64mb"),
    ("maxmemory", "-1", "a size such as 64mb"),
    ("maxmemory-clients", "200%", "at most 100%"),
    ("appendfsync", "sometimes", '"everysec" or "always" or "no"'),
    ("shutdown-on-sigterm", "later", '"default" or "save" or "nosave" or "now" or "force"'),
    ("notify-keyspace-events", "Q", 'letters of "AKEg$lshzxetdmn"'),
    ("client-output-buffer-limit", "friends 1 2 3",
     "a class (normal, replica, pubsub), two sizes and seconds, such as replica 256mb 64mb 60"),
    ("latency-tracking-info-percentiles", "101", "numbers from 0 to 100"),
    ("save", "60", "pairs of seconds and changes, such as 3600 1 300 100"),
    ("save", "0 1", "pairs of seconds and changes, such as 3600 1 300 100"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "reported"), SAME)
def test_a_value_has_the_form_that_the_server_reports(name: str, given: str, reported: str) -> None:
    assert canonical(DIRECTIVES[name], given) == reported


@pytest.mark.parametrize(("name", "given", "wants"), REFUSED)
def test_a_bad_value_is_refused_with_what_the_directive_takes(name: str, given: str, wants: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011  # the whole text is compared
        canonical(DIRECTIVES[name], given)
    assert str(refused.value) == wants


def test_every_default_is_in_the_form_that_the_server_reports() -> None:
    for directive in DIRECTIVES.values():
        defaults = (directive.default, *(later for _, _, later in directive.changed))
        assert [canonical(directive, default) for default in defaults] == list(defaults)


def test_every_kind_of_value_has_a_form() -> None:
    assert set(FORMS) == set(get_args(DirectiveKind))


def test_no_directive_is_both_settable_and_a_matter_of_the_process() -> None:
    assert not PROCESS & (DIRECTIVES.keys() | OWN_WORDS.keys())


def test_every_new_name_of_an_old_directive_exists() -> None:
    assert {directive.renamed for directive in DIRECTIVES.values() if directive.renamed} <= DIRECTIVES.keys()


def test_truth_is_written_as_yes_and_no() -> None:
    assert [written(True), written(False), written(10), written("x")] == ["yes", "no", "10", "x"]
