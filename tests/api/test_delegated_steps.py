"""Operations that a stack may execute for the steps of a migration."""

from keywright.api.pulumi import preview
from keywright.api.pulumi.delegated_steps import logical, operations_of
from keywright.engines.contract.plan import Statement


def statement(*object: str, table: str = "prod-shop", wants: object = "new", before: object = None) -> Statement:
    """A step on a table."""
    return Statement("dynamodb", table, object, "", {}, wants, (before,))  # type: ignore[arg-type]


def test_an_index_is_made_or_dropped() -> None:
    statements = [statement("indexes", "by_day", wants=None, before="old"), statement("indexes", "by_brand")]
    assert operations_of(statements) == ["-prod-shop/by_day", "+prod-shop/by_brand"]


def test_a_new_table_has_its_indexes_from_the_start() -> None:
    statements = [statement(), statement("indexes", "by_day"), statement("indexes", "by_day", table="other")]
    assert operations_of(statements) == ["+other/by_day"]


def test_a_table_that_goes_is_named_with_its_protection() -> None:
    statements = [
        statement("settings", "deletion_protection", wants=False, before=True),
        statement(wants=None, before="old"),
    ]
    assert operations_of(statements) == ["~prod-shop", "-prod-shop"]


def test_settings_and_expiry_allow_nothing() -> None:
    assert (
        operations_of([statement("settings", "deletion_protection", wants=True), statement("ttl"), statement("stream")])
        == []
    )


def shown(name: str, op: str) -> preview.PreviewStep:
    """A step of a preview on a table of the program."""
    urn = f"urn:pulumi:prod::p::keywright:dynamodb:Tables$aws:dynamodb/table:Table::{name}"
    return preview.PreviewStep(op, urn, "aws:dynamodb/table:Table", {}, {}, ())


def test_what_is_allowed_of_a_table_is_allowed_of_it_in_each_region() -> None:
    tables = [
        ("prod-shop", shown("shop", "update")),
        ("prod-shop", shown("us-shop", "update")),
        ("b", shown("b", "same")),
    ]
    assert logical(["+prod-shop/by_day", "-gone"], tables) == ["+shop/by_day", "+us-shop/by_day", "-gone"]


def test_a_region_that_a_preview_does_not_change_is_not_asked_for_the_change() -> None:
    for order in (1, -1):
        tables = [("prod-shop", shown("shop", "update")), ("prod-shop", shown("us-shop", "same"))][::order]
        assert logical(["+prod-shop/by_day"], tables) == ["+shop/by_day"]
    assert logical(["~prod-shop"], [("prod-shop", shown("shop", "same"))]) == ["~shop"]
