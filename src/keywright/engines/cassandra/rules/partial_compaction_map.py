"""CAS108: a strategy is told one of its main options and not the other, which then has the server's own value."""

from collections.abc import Iterator, Mapping

from keywright.engines.flaws.context import Flaw, Whole

from ..capabilities import STRATEGIES, WRITTEN_OPTIONS
from ..columns import table_of
from ..tableoptions import short_class
from ..tables import entities


def models(whole: Whole) -> Iterator[Flaw]:
    """Every `settings=` whose compaction names a part of the options that belong together."""
    for _, binding, _ in entities(whole):
        given = table_of(binding).settings.get("compaction")
        if not isinstance(given, Mapping):
            continue
        name = short_class(str(given.get("class", "")))
        main = WRITTEN_OPTIONS.get(name, ())
        missing = [key for key in main if key not in given]
        if missing and len(missing) < len(main):
            listed = ", ".join(f'"{key}": "{STRATEGIES[name][key]}"' for key in missing)
            said = ", ".join(f'"{key}"' for key in main if key in given)
            yield Flaw(
                problem=f'settings["compaction"] says {said} and leaves out {", ".join(missing)}: a change of one '
                "option sets all others back to the server's own values",
                help=f"say it too, such as {{{listed}}}, or use the word of the strategy in compaction=",
                subject=binding.name,
            )
