"""How much a plan goes over, in words."""

import pytest

from keywright.api.migrate.estimates import Estimate
from keywright.cli.commands.migrate.sizes import about, estimate_json, size_lines
from keywright.engines.contract.counting import StoreSize, Units

REMARK = "counted by the service about every six hours"


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0 B"), (9999, "9999 B"), (10_000, "10 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (1_234_567, "1.2 MB"),
     (4_100_000_000, "4.1 GB"), (10**16, "10000 TB")],
)  # fmt: skip
def test_a_number_in_few_digits(number: int, shown: str) -> None:
    assert about(number, "B") == shown


@pytest.mark.parametrize(
    ("estimate", "lines"),
    [
        (None, []),
        (Estimate("shop", StoreSize(0, 0), None), []),
        (Estimate("shop", None, None), ["over shop: its size is unknown"]),
        (Estimate("shop", StoreSize(1, 90, "document"), None), ["over shop: 1 document, 90 B"]),
        (
            Estimate("shop", StoreSize(0, 0, remark=REMARK), Units(0, 0)),
            [f"over shop: about 0 items, 0 B ({REMARK})"],
        ),
        (
            Estimate("shop", StoreSize(1_200_000, 4_100_000_000, remark=REMARK), Units(500_489, 4_800_000)),
            [
                f"over shop: about 1.2 M items, 4.1 GB ({REMARK})",
                "needs about 500 k read units, 4.8 M write units, for items of average size",
            ],
        ),
    ],
)  # fmt: skip
def test_what_a_stage_goes_over(estimate: Estimate | None, lines: list[str]) -> None:
    assert list(size_lines(estimate)) == lines


def test_what_is_unknown_is_null() -> None:
    assert estimate_json(Estimate("shop", None, None)) == {"over": {"object": "shop", "size": None, "units": None}}
