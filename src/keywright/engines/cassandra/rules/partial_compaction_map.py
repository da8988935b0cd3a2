"""CAS108: compaction settings name one of two main options, so that the server resets the other to its default."""

from collections.abc import Iterator, Mapping

from keywright.engines.findings.context import FindingDraft, RuleContext

from ..findings.tables import entities
from ..schema.capabilities import STRATEGIES, WRITTEN_OPTIONS
from ..schema.table_options import short_class


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every `settings=` whose compaction names only a part of the options that belong together."""
    for _, binding, _ in entities(context):
        compaction = binding.spec.settings.get("compaction")
        if not isinstance(compaction, Mapping):
            continue
        name = short_class(str(compaction.get("class", "")))
        main = WRITTEN_OPTIONS.get(name, ())
        missing = [key for key in main if key not in compaction]
        if missing and len(missing) < len(main):
            examples = ", ".join(f'"{key}": "{STRATEGIES[name][key]}"' for key in missing)
            named = ", ".join(f'"{key}"' for key in main if key in compaction)
            yield FindingDraft(
                problem=f'settings["compaction"] says {named} and leaves out {", ".join(missing)}: a change of one '
                "option sets all others back to the server's own values",
                help=f"say it too, such as {{{examples}}}, or use the word of the strategy in compaction=",
                subject=binding.name,
            )
