"""Every rule for migrations: the shared rules on one screen, and those of the engines."""

from collections.abc import Iterable

from keywright.engines.findings.migration import (
    access,
    approvals,
    backfills,
    breaks,
    destroys,
    fails,
    names,
    options,
    rebuilds,
    renames,
)
from keywright.engines.registry import NAMES, in_order, module_of

from .rule import Rule

CHAIN = (
    Rule("NL101", is_suppressible=False),
    Rule("NL102", is_suppressible=False),
    Rule("NL103", is_suppressible=False),
)
"""Rules for the chain of migrations; reported where migrations are read."""

SUPPRESSIONS = (
    Rule("SUP001", is_suppressible=False),
    Rule("SUP002", is_suppressible=False),
    Rule("SUP003", severity="warning", is_suppressible=False),
    Rule("SUP004", is_suppressible=False),
    Rule("SUP005", is_suppressible=False),
)
"""Rules for suppressions; reported by `suppress`."""

_SHARED = (
    Rule("RN101", renames.unhinted, is_suppressible=False),
    Rule("RN102", renames.idle, is_suppressible=False),
    Rule("RB101", rebuilds.keys, is_suppressible=False),
    Rule("RB102", rebuilds.key_types, is_suppressible=False),
    Rule("RB105", rebuilds.merging, is_suppressible=False),
    Rule("DS101", destroys.stores),
    Rule("DS102", destroys.tables),
    Rule("DS103", destroys.fields),
    Rule("DS104", destroys.expiries),
    Rule("DS106", destroys.graves),
    Rule("DS107", options.options),
    Rule("MF103", fails.required),
    Rule("MF104", fails.tightened),
    Rule("MF107", fails.reads_nothing, severity="warning"),
    Rule("BC101", breaks.copies),
    Rule("BC102", breaks.renamed_fields),
    Rule("BC103", breaks.types),
    Rule("BC105", breaks.streams),
    Rule("BC107", breaks.marks),
    Rule("BC108", breaks.elements),
    Rule("AP101", access.lost_paths),
    Rule("AP102", access.unserved),
    Rule("AP103", access.idle, severity="warning"),
    Rule("LK102", approvals.ungated),
    Rule("BF101", backfills.computed, severity="warning"),
    Rule("BF102", backfills.validated, severity="warning"),
    Rule("BF103", backfills.copied, severity="warning"),
    Rule("BF104", backfills.impure),
    Rule("BF105", backfills.untold),
    Rule("NM101", names.stores, severity="warning", confidence="inferred"),
    Rule("NM102", names.tables, severity="warning", confidence="inferred"),
    Rule("NM103", names.attributes, severity="warning", confidence="inferred"),
    Rule("NM104", names.indexes, severity="warning", confidence="inferred"),
    Rule("OW101", approvals.foreign, severity="warning"),
)
"""Rules for every engine."""

CHANGES: tuple[Rule, ...] = (*_SHARED, *(rule for name in NAMES for rule in module_of(name, "migration_rules").RULES))
"""Rules for the changes and steps of a migration; a code with a check in two engines has a rule for each."""


def changes_about(engines: Iterable[str]) -> tuple[Rule, ...]:
    """`CHANGES`, and the rules for those of the engines that other packages provide."""
    others = [module_of(name, "migration_rules") for name in in_order(engines) if name not in NAMES]
    return (*CHANGES, *(rule for module in others if module is not None for rule in module.RULES))


RULES = (*CHAIN, *SUPPRESSIONS, *CHANGES)
"""All rules for migrations."""

BY_CODE = {rule.code: rule for rule in RULES}
"""Rules for migrations by code."""
