"""What a stack may do for the steps of a migration."""

from keywright.api.landing import lands
from keywright.engines.plan import Step


def step(*object: str, table: str = "prod-shop", wants: object = "new", before: object = None) -> Step:
    """A step on a table."""
    return Step("dynamodb", table, object, "", {}, wants, (before,))  # type: ignore[arg-type]


def test_an_index_is_made_or_dropped() -> None:
    steps = [step("indexes", "by_day", wants=None, before="old"), step("indexes", "by_brand")]
    assert lands(steps) == ["-prod-shop/by_day", "+prod-shop/by_brand"]


def test_a_new_table_has_its_indexes_from_the_start() -> None:
    steps = [step(), step("indexes", "by_day"), step("indexes", "by_day", table="other")]
    assert lands(steps) == ["+other/by_day"]


def test_a_table_that_goes_is_named_with_its_protection() -> None:
    steps = [step("settings", "deletion_protection", wants=False, before=True), step(wants=None, before="old")]
    assert lands(steps) == ["~prod-shop", "-prod-shop"]


def test_settings_and_expiry_allow_nothing() -> None:
    assert lands([step("settings", "deletion_protection", wants=True), step("ttl"), step("stream")]) == []
