"""DDB032: writes in several regions of one table overwrite each other.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html (2026-11-23): the last
writer wins; transactions are atomic only in the region in which they run.
"""

from collections.abc import Iterator

from keywright.engines.contract.naming import snake_case
from keywright.engines.dynamodb.access.layout import Layout
from keywright.engines.dynamodb.findings.regions import bound_to_one_region
from keywright.engines.dynamodb.findings.throughput import uses_of
from keywright.engines.dynamodb.findings.uses import Use, scalar, settings_of
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.shapes import is_generated_text
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted

_NAMED = 2
"""Patterns that a consequence names."""


def models(
    context: RuleContext, *, one_writer: tuple[str, ...] = (), seldom: float = 0.01, often: float = 1
) -> Iterator[FindingDraft]:
    """Replicated tables with writes that depend on the stored item.

    A table that shares transactions with a table without replicas is written in the region of that table. Only its
    increments in other patterns are reported, because regions often add up their own figures.

    one_writer: names of tables that the application writes in one region only. seldom: calls a second up to which two
    puts or updates do not happen within the seconds that a replica is behind. often: increments a second from which two
    regions lose some; of fewer, it only asks.
    """
    bound = bound_to_one_region(context)
    for target, settings in settings_of(context):
        name = target.declared.name
        if not settings.replicas or settings.consistency == "strong" or name in one_writer:
            continue
        table_uses = uses_of(context, target.placed)
        harms = list(_harms(_elsewhere(table_uses, bound[name]) if name in bound else table_uses, seldom))
        if harms:
            strong = "" if any(use.times > 1 for use in table_uses) else "; or set consistency: strong"
            adds_up = any(
                use.pattern.kind == "increment" and (use.per_second is None or use.per_second >= often)
                for use in table_uses
            )
            remedy = f'add "{name}" to the parameter one_writer'
            problem = (
                f'table "{name}" has replicas with consistency: eventual, so that of writes in two regions the last '
                f"one wins: {', '.join(harms)}"
            )
            yield FindingDraft(
                problem=problem if adds_up else f"{problem}; is it written in one region only?",
                help=f"write it in one region, and {remedy}{strong}" if adds_up else f"if it is, {remedy}{strong}",
                subject=name,
                severity=None if adds_up else "question",
                at=target.setting("replicas"),
            )


def _elsewhere(table_uses: list[Use], transactions: frozenset[str]) -> list[Use]:
    """Increments outside of the transactions that run in one region."""
    return [use for use in table_uses if use.pattern.kind == "increment" and use.name not in transactions]


def _harms(table_uses: list[Use], seldom: float) -> Iterator[str]:
    """Consequences, each with its most frequent patterns."""
    increments = [use for use in table_uses if use.pattern.kind == "increment"]
    frequent = [use for use in table_uses if use.per_second is None or use.per_second > seldom]
    conditional = [
        use for use in frequent if use.pattern.if_absent and not _is_link(use.entity) and not _has_own_id(use.entity)
    ]
    claims = [use for use in frequent if use.pattern.kind == "update" and _is_claim(use.pattern)]
    together = [use for use in table_uses if use.times > 1]
    if increments:
        yield f"increments of {_busiest(increments)} are lost"
    if conditional:
        yield f"if_absent= of {_busiest(conditional)} succeeds in both"
    elif claims:
        yield f"where= of {_busiest(claims)} holds in both"
    if together:
        yield f"other regions see parts of {_busiest(together)}"


def _is_link(entity: Layout) -> bool:
    """Whether an item says only that two others belong together: of two such items, it is no matter which one stays."""
    references = [kind.facts.reference for path in entity.key_fields if (kind := scalar(entity, path)) is not None]
    return len(references) > 1 and None not in references


def _has_own_id(entity: Layout) -> bool:
    """Whether the key contains the generated id of the item itself, which two regions never give twice.

    A token is the request's own key, which a caller repeats.
    """
    own = f"{snake_case(entity.binding.entity.name)}_id"
    kind = scalar(entity, own) if own in entity.key_fields and entity.binding.spec.kind != "token" else None
    if kind is None or kind.facts.reference:
        return False
    is_of_one_form = kind.pattern is not None or kind.facts.average_bytes == kind.facts.max_bytes
    return kind.kind == "uuid" or (kind.kind == "string" and is_of_one_form and is_generated_text(kind))


def _is_claim(pattern: Pattern) -> bool:
    """Whether an update takes a state, which only one caller may take."""
    return any(condition.field in pattern.sets for condition in pattern.where)


def _busiest(candidates: list[Use]) -> str:
    """The most frequent ones, and how many others there are."""
    names = list(dict.fromkeys(use.name for use in sorted(candidates, key=lambda use: -(use.load.per_second or 0))))
    others = f" and {counted(len(names) - _NAMED, 'other')}" if len(names) > _NAMED else ""
    return ", ".join(f'"{name}"' for name in names[:_NAMED]) + others
