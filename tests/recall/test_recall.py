"""The data of the measurement, and how findings are compared with it; the projects are checked by `make recall`."""

import pytest
from tests.projects import without_crashes
from tests.recall.draw import draw, mistakes
from tests.recall.figures import DOMAINS, HELD_OUT, HERE, Judgement, Planted, Seen, compare, judgements, planted

import keywright
from keywright.pages import catalogue

CODES = catalogue.codes()


def test_there_are_twenty_three_domains() -> None:
    assert len(DOMAINS) == 23
    assert {*DOMAINS} >= HELD_OUT


@pytest.mark.parametrize("domain", DOMAINS)
def test_planted_mistakes_are_those_of_the_draw(domain: str) -> None:
    engine = {mistake.id: mistake.engine for mistake in mistakes()}
    ids = [mistake.id for mistake in planted(domain)]
    engines = frozenset(engine[mistake] for mistake in ids) - {"any"}
    assert len(ids) == len(set(ids)) == 30
    assert set(ids) <= set(draw(domain, engines, 40))


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_planted_mistake_has_codes_or_says_what_is_wanted(domain: str) -> None:
    result = planted(domain)
    assert [mistake.id for mistake in result if bool(mistake.codes) == bool(mistake.wanted)] == []
    assert {code for mistake in result for code in mistake.codes} <= set(CODES)
    assert [mistake.file for mistake in result if not (HERE / domain / "bad" / mistake.file).is_file()] == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_judgements_are_about_codes(domain: str) -> None:
    judged = judgements(domain)
    assert {entry.code for entry in judged} <= set(CODES)
    assert {entry.judgement for entry in judged} <= {"right", "wrong"}
    assert all(entry.reason for entry in judged)
    assert len({(entry.code, entry.object) for entry in judged}) == len(judged)


@pytest.mark.parametrize("project", ["good", "bad"])
@pytest.mark.parametrize("domain", DOMAINS)
def test_no_rule_crashes_on_a_project(domain: str, project: str) -> None:
    report = keywright.check(HERE / domain / project, "prod", profile="strict")
    assert report.errors == ()
    without_crashes(report.findings)


def test_findings_are_compared_by_code_and_object() -> None:
    by_index = Planted("a", "models/a.py", "A", "One.", codes=("GEN004",), objects=("read_a",))
    elsewhere = Planted("b", "models/b.py", "B", "Two.", codes=("GEN004",))
    before = Planted("c", "models/c.py", "C", "Three.", codes=("GEN008",))
    good = [Seen("GEN008", "C", "it never expires"), Seen("GEN010", "D", "stale"), Seen("GEN010", "E", "stale")]
    bad = [*good, Seen("GEN004", "read_a", "not served"), Seen("GEN001", "B", "unused")]
    judged = [Judgement("GEN008", "C", "right", "So it is."), Judgement("GEN010", "D", "wrong", "A list.")]
    result = compare([by_index, elsewhere, before], judged, good, bad)
    assert (result.named, result.missed) == ((by_index,), (elsewhere, before))
    assert (result.right, result.wrong) == ((good[0],), (good[1], good[2]))
    assert result.findings == 5
