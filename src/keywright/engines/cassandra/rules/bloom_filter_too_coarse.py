"""CAS024: the Bloom filter of a table with many reads by key is so coarse that reads open files without the row."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.text import counted, exact

from ..access.calls import Select
from ..access.calls_write import UpdateRow
from ..findings.tables import entities
from ..schema.table_options import bloom_filter


def models(context: RuleContext, *, max_chance: float = 0.1, per_second: float = 10) -> Iterator[FindingDraft]:
    """Every such table, by the declared rates of reads of a partition; an update reads the row that must exist.

    max_chance: largest allowed false-positive chance. per_second: false positives of each file that are allowed in a
    second.
    """
    for target, binding, layout in entities(context):
        chance = bloom_filter(layout.target.options)
        rates = [
            rate
            for plan, rate in calls(context, binding, "get", "read", "update")
            if rate and isinstance(plan.path, AccessPath) and isinstance(plan.path.call, (Select, UpdateRow))
            and plan.path.call.partition
        ]  # fmt: skip
        if target.environment.flavour == "keyspaces" or not isinstance(chance, float) or chance <= max_chance:
            continue
        if (needless := chance * sum(rates)) > per_second:
            yield FindingDraft(
                problem=f"bloom_filter_fp_chance is {exact(chance)}: of {counted(sum(rates), 'read', spec=',.0f')} a "
                f"second, {needless:,.0f} open each file that does not contain the row",
                help="remove bloom_filter_fp_chance from settings= for the default of the compaction, 0.01 or 0.1",
                subject=binding.name,
            )
