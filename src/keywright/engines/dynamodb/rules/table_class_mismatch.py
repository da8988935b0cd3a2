"""DDB033: the table class is the more expensive one for the declared traffic and data."""

from collections.abc import Iterator

from keywright.engines.dynamodb.findings.throughput import (
    busy_tables,
    monthly_price,
    provisioned_price,
    stored_bytes,
    total_units,
    units_of,
)
from keywright.engines.dynamodb.findings.uses import entities
from keywright.engines.dynamodb.schema.capabilities import (
    INFREQUENT_STORAGE_PRICE,
    INFREQUENT_SURCHARGE,
    STORAGE_PRICE,
)
from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment

_SAVING = STORAGE_PRICE.value - INFREQUENT_STORAGE_PRICE.value


def models(context: RuleContext, *, lost: int = 20, saved: int = 100) -> Iterator[FindingDraft]:
    """Tables for which the other class costs less.

    lost, saved: dollars a month, at the prices of US East, that the infrequent-access class must cost or save.
    """
    for target, settings, table_uses in busy_tables(context):
        units = units_of(table_uses, is_peak=False)
        is_provisioned = settings.billing == "provisioned"
        is_standard = settings.table_class == "standard"
        throughput = (
            provisioned_price(units, target.placed, is_most=is_standard)
            if is_provisioned
            else monthly_price(total_units(units), is_provisioned=False)
        )
        traffic, requests = ("capacity", "capacity") if is_provisioned else ("traffic", "requests")
        size = stored_bytes(entity for entity in entities(context) if entity.table is target.placed)
        surcharge = throughput * INFREQUENT_SURCHARGE.value
        saving = _SAVING * (size or 0) / 1e9
        if settings.table_class == "standard-infrequent-access" and surcharge - saving >= lost:
            stored_text = "" if size is None else f", and the {size / 1e9:,.0f} GB save ${saving:,.0f}"
            yield _finding(
                target,
                f"is in the infrequent-access class: its {traffic} costs ${surcharge:,.0f} a month more{stored_text}; "
                f"{surcharge / _SAVING:,.0f} GB would pay for that",
                "set table-class: standard, which is the default",
            )
        is_known = size is not None and all(use.load.per_second is not None for use in table_uses)
        if is_standard and is_known and table_uses and saving - surcharge >= saved:
            yield _finding(
                target,
                f"is in the standard class: its {(size or 0) / 1e9:,.0f} GB cost ${saving:,.0f} a month more than in "
                f"the infrequent-access class, whose {requests} would add ${surcharge:,.0f}",
                "set table-class: standard-infrequent-access",
            )


def _finding(target: TargetInEnvironment, problem: str, help: str) -> FindingDraft:
    name = target.declared.name
    return FindingDraft(problem=f'table "{name}" {problem}', help=help, subject=name, at=target.setting("table-class"))
