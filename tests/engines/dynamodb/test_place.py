"""What an environment adds to a table."""

import pytest

from keywright.engines.dynamodb.declare.settings import DynamoEnvironment, TableSettings, Throughput
from keywright.engines.dynamodb.schema.place import localise, place, refuse, unplace
from keywright.engines.dynamodb.schema.target import KeyPart, Placement, TableTarget
from keywright.record import replace

TABLE = TableTarget("shop", 1, (KeyPart("pk", "S", "HASH"),))
PROVISIONED = DynamoEnvironment(flavour="dynamodb", billing="provisioned", capacity=Throughput(read=5, write=3))


def test_the_defaults_are_the_safe_ones() -> None:
    placed = place(TABLE, DynamoEnvironment(flavour="dynamodb"))
    assert placed == replace(
        TABLE,
        placement=Placement(
            billing="PAY_PER_REQUEST",
            table_class="STANDARD",
            has_recovery=True,
            is_protected=True,
            encryption="aws-owned",
            tags=(),
        ),
    )


def test_the_local_flavour_has_nothing_that_it_cannot_report() -> None:
    environment = DynamoEnvironment(
        flavour="dynamodb-local", tags={"team": "shop"}, warm_throughput=Throughput(read=1, write=1)
    )
    assert place(TABLE, environment).placement == Placement(billing="PAY_PER_REQUEST", is_protected=True)


def test_settings_of_a_table_win() -> None:
    own = TableSettings(billing="on-demand", protect=False, on_demand_limits=Throughput(read=100, write=50))
    placement = place(TABLE, replace(PROVISIONED, tables={"shop": own})).placement
    assert placement is not None
    assert (placement.billing, placement.capacity) == ("PAY_PER_REQUEST", None)
    assert (placement.limits, placement.is_protected) == ((100, 50), False)


def test_other_tables_keep_the_common_settings() -> None:
    placement = place(TABLE, replace(PROVISIONED, tables={"games": TableSettings(protect=False)})).placement
    assert placement is not None
    assert (placement.capacity, placement.is_protected) == ((5, 3), True)


@pytest.mark.parametrize(
    ("prefix", "generation", "name"), [("", 1, "shop"), ("dev-", 1, "dev-shop"), ("dev-", 3, "dev-shop-k3")]
)
def test_a_physical_name_is_prefix_name_and_generation(prefix: str, generation: int, name: str) -> None:
    environment = DynamoEnvironment(flavour="dynamodb", name_prefix=prefix)
    placed = place(replace(TABLE, generation=generation), environment)
    assert placed.name == name
    assert unplace(placed, environment) == replace(TABLE, generation=generation)


def test_provisioned_billing_needs_capacity() -> None:
    environment = DynamoEnvironment(flavour="dynamodb", billing="provisioned")
    (refusal,) = refuse(place(TABLE, environment), environment)
    assert (refusal.code, refusal.subject) == ("E0405", "shop")
    assert list(refuse(place(TABLE, PROVISIONED), PROVISIONED)) == []


def test_a_prefix_may_make_a_name_too_long() -> None:
    table, environment = replace(TABLE, name="a" * 250), DynamoEnvironment(flavour="dynamodb", name_prefix="develop-")
    (refusal,) = refuse(place(table, environment), environment)
    assert refusal.code == "DDB113"
    assert refusal.problem.endswith("has 258 characters, DynamoDB allows 255")


def test_a_local_server_keeps_names_and_changes_the_flavour() -> None:
    environment = DynamoEnvironment(flavour="dynamodb", name_prefix="dev-")
    assert localise(environment, "3.3.1") == replace(environment, flavour="dynamodb-local")
    assert localise(None, "3.3.1").flavour == "dynamodb-local"
