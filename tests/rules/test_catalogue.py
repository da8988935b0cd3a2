"""The catalogue: every hazard has its code, and every code its page."""

import inspect
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

import pytest

from keywright.engines.findings import migration
from keywright.pages.catalogue import codes, page
from keywright.rules.catalogue import BY_CODE, CHANGES, RULES
from keywright.rules.run_migration import BLOCKING

HELPERS = ("keywright.engines.findings.migration.context", "keywright.engines.findings.migration.values")
TWICE = ("BC108", "CO103", "RB101", "RB102")


def _modules() -> Iterator[str]:
    yield from (f"{migration.__name__}.{info.name}" for info in iter_modules(migration.__path__))
    yield from (
        f"keywright.engines.{engine}.migrate.findings" for engine in ("cassandra", "dynamodb", "mongodb", "redis")
    )


@pytest.mark.parametrize("name", sorted(set(_modules()) - set(HELPERS)))
def test_every_hazard_of_a_module_is_a_rule_that_its_docstring_names(name: str) -> None:
    module = import_module(name)
    public = {
        value
        for value in vars(module).values()
        if inspect.isgeneratorfunction(value) and value.__module__ == name and not value.__name__.startswith("_")
    }
    rules = {rule.check: rule.code for rule in CHANGES if rule.check in public}
    assert public == rules.keys()
    for check, code in rules.items():
        assert (check.__doc__ or "").startswith(f"{code}: ")


def test_a_code_stands_once_but_for_those_that_two_engines_find() -> None:
    counts = Counter(rule.code for rule in RULES)
    assert {code for code, count in counts.items() if count > 1} == set(TWICE)
    for code in TWICE:
        assert len({(rule.severity, rule.confidence, rule.is_suppressible) for rule in RULES if rule.code == code}) == 1


def test_every_rule_has_a_page_with_a_migration_and_every_such_page_a_rule() -> None:
    assert set(BY_CODE) == {code for code in codes() if page(code).is_of_migrations}


def test_a_rule_has_the_name_and_summary_of_its_page() -> None:
    rule = BY_CODE["DS103"]
    summary = "A stored field is no longer declared; running code may still read it."
    assert (rule.name, rule.summary) == ("stored-field-removed", summary)


def test_what_no_reason_excuses() -> None:
    assert {code for code, rule in BY_CODE.items() if not rule.is_suppressible} == {
        "NL101", "NL102", "NL103", "RN101", "RN102", "RB101", "RB102", "RB103", "RB104", "RB105", "MF105",
        "SUP001", "SUP002", "SUP003", "SUP004", "SUP005",
    }  # fmt: skip


def test_what_is_not_even_written_is_an_error() -> None:
    assert {BY_CODE[code].severity for code in BLOCKING} == {"error"}
