"""DDB036: a large and steady load is billed per request."""

from collections.abc import Iterator

from keywright.engines.dynamodb.findings.throughput import (
    UTILISATION,
    busy_tables,
    monthly_price,
    total_units,
    units_of,
)
from keywright.engines.dynamodb.findings.uses import Use
from keywright.engines.dynamodb.schema.capabilities import TABLE_UNITS
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(
    context: RuleContext, *, steady: float = 1.5, dollars: int = 1_000, with_peak: float = 0.5, large: int = 5_000
) -> Iterator[FindingDraft]:
    """On-demand tables that cost less with provisioned capacity.

    steady: ratio of all peaks to all rates up to which a load is steady. dollars: difference a month, at the prices of
    US East, from which a table is reported. with_peak: part of the price from which declared peaks of patterns tell
    that a load is steady. large: difference from which a table without declared peaks is reported.
    """
    for target, settings, table_uses in busy_tables(context):
        if settings.billing != "on-demand":
            continue
        usual = total_units(units_of(table_uses, is_peak=False))
        peak = total_units(units_of(table_uses, is_peak=True))
        on_demand = monthly_price(usual, is_provisioned=False)
        provisioned = monthly_price(peak, is_provisioned=True)
        is_allowed = max(peak.read, peak.write) / UTILISATION <= TABLE_UNITS.value  # DynamoDB rejects a larger capacity
        is_steady = peak.read <= steady * usual.read and peak.write <= steady * usual.write
        least = dollars if _is_known(table_uses, with_peak) else large
        if is_steady and is_allowed and on_demand - provisioned >= least:
            yield FindingDraft(
                problem=f'table "{target.declared.name}" has a steady load of {usual.read:,.0f} read and '
                f"{counted(usual.write, 'write unit', spec=',.0f')} a second: about ${on_demand:,.0f} a month on "
                f"demand, and ${provisioned:,.0f} with provisioned capacity",
                help="set billing: provisioned with autoscaling:",
                subject=target.declared.name,
                at=target.setting("billing"),
            )


def _is_known(table_uses: list[Use], share: float) -> bool:
    """Whether the patterns that declare a peak take most of the units; without one, a load may have any."""
    with_peak = [use for use in table_uses if use.load.peak_per_second is not None]
    parts, all_units = (total_units(units_of(of, is_peak=False)) for of in (with_peak, table_uses))
    return monthly_price(parts, is_provisioned=False) >= share * monthly_price(all_units, is_provisioned=False)
