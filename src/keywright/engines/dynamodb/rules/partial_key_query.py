"""DDB003: a read gives only part of a partition key, but DynamoDB needs the whole key."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.layout import Route
from keywright.engines.dynamodb.findings.uses import Use, hash_text, unserved
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.template import Placeholder


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Unserved patterns with some fields of a partition key, or with a range or prefix of one."""
    for use, _ in unserved(context):
        if use.pattern.kind not in ("get", "read", "count"):
            continue
        partial = next((partial for route in use.entity.routes if (partial := _partial(use, route))), None)
        if partial:
            route, missing, test = partial
            where = f'index "{route.index}"' if route.index else "the table"
            yield FindingDraft(
                problem=f'it {test} of pk="{hash_text(route)}" of {where}, which is found by equality of all of it',
                help=f'add "{missing}" to eq=; or key an index by what the pattern knows',
                subject=use.name,
                at=use.pattern.at,
            )


def _partial(use: Use, route: Route) -> tuple[Route, str, str] | None:
    """The key, a missing field, and the partial condition; None if the pattern has no or all fields."""
    pattern = use.pattern
    given = {
        *pattern.eq,
        *pattern.one_of,
        *(condition.field for condition in pattern.where if condition.test in ("equals", "one_of")),
    }
    if not pattern.eq and pattern.kind == "get":
        given |= set(use.entity.key_fields)
    placeholders = [
        placeholder for part in route.hashes for placeholder in part.template.placeholders if _needs_value(placeholder)
    ]
    missing = [placeholder.path for placeholder in placeholders if placeholder.path not in given]
    if not missing:
        return None
    if (bound := next((path for path in missing if path in (pattern.range, pattern.prefix)), None)) is not None:
        test = "gives a range" if bound == pattern.range else "gives a beginning"
        return None if _is_bucket(placeholders, bound) else (route, bound, test)
    if len(missing) < len(placeholders):
        return route, missing[0], f'lacks "{missing[0]}"'
    return None


def _needs_value(placeholder: Placeholder) -> bool:
    """Whether it takes a value of the caller; shards take none, because readers query all of them."""
    return bool(placeholder.path) and not placeholder.shards


def _is_bucket(placeholders: list[Placeholder], path: str) -> bool:
    return any(placeholder.path == path and placeholder.filters for placeholder in placeholders)
