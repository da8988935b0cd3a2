"""DDB003: a read gives a part of a partition key, which is found as a whole or not at all."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.layout import Route
from keywright.engines.dynamodb.uses import Use, hash_text, unserved
from keywright.engines.flaws.context import Flaw, Whole
from keywright.ir.template import Placeholder


def models(whole: Whole) -> Iterator[Flaw]:
    """Every unserved pattern that gives some of the fields of a partition key, or a range or a beginning of one."""
    for use, _ in unserved(whole):
        if use.pattern.kind not in ("get", "read", "count"):
            continue
        found = next((one for route in use.entity.routes if (one := _partial(use, route))), None)
        if found:
            route, lacking, how = found
            where = f'index "{route.index}"' if route.index else "the table"
            yield Flaw(
                problem=f'it {how} of pk="{hash_text(route)}" of {where}, which is found by equality of all of it',
                help=f'add "{lacking}" to eq=; or key an index by what the pattern knows',
                subject=use.name,
                at=use.pattern.at,
            )


def _partial(use: Use, route: Route) -> tuple[Route, str, str] | None:
    """The key, a field that is lacking, and what the pattern gives of it; None where it gives nothing or all."""
    pattern = use.pattern
    given = {*pattern.eq, *pattern.one_of, *(one.field for one in pattern.where if one.test in ("equals", "one_of"))}
    if not pattern.eq and pattern.kind == "get":
        given |= set(use.entity.key_fields)
    named = [one for part in route.hashes for one in part.template.placeholders if _is_asked(one)]
    lacking = [one.path for one in named if one.path not in given]
    if not lacking:
        return None
    if (bound := next((path for path in lacking if path in (pattern.range, pattern.prefix)), None)) is not None:
        how = "gives a range" if bound == pattern.range else "gives a beginning"
        return None if _is_bucket(named, bound) else (route, bound, how)
    if len(lacking) < len(named):
        return route, lacking[0], f'lacks "{lacking[0]}"'
    return None


def _is_asked(placeholder: Placeholder) -> bool:
    """Whether it takes a value of the caller, and is no shard that the reader asks all of."""
    return bool(placeholder.path) and not placeholder.shards


def _is_bucket(named: list[Placeholder], path: str) -> bool:
    return any(one.path == path and one.filters for one in named)
