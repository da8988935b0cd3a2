"""RED032: all keys of a cluster have the same hash tag, and are therefore on one node."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted

from ..access.layout import Layout, is_cluster
from ..access.memory import keys_of
from ..access.paths.read import KEYED
from ..declare.options import Structure
from ..findings.servers import servers

_HELP = "tag a field with many values, such as {user_id:tag}, or leave out the tag"


def models(context: RuleContext, *, min_keys: int = 1_000, few_tags: int = 3) -> Iterator[FindingDraft]:
    """Servers in a cluster whose entities all have such a tag, otherwise the entities with it.

    min_keys: expected keys from which an entity needs several nodes; an unknown number counts as many. few_tags: values
    of a tag that are too few for a cluster.
    """
    for server in servers(context):
        if not is_cluster(server.stored.placed):
            continue
        tagged = {
            binding.name: tag
            for binding, layout in server.entities
            if (tag := _constant_tag(layout, few_tags)) is not None and _keys(binding, layout) >= min_keys
        }
        if len(tagged) > 1 and len(tagged) == len(server.entities) and len({*tagged.values()}) == 1:
            yield FindingDraft(
                problem=f'all keys of server "{server.name}" have {_slots(next(iter(tagged.values())))}, so that '
                f"{_nodes(next(iter(tagged.values())), 'does', 'do')} all the work",
                help=_HELP,
                subject=server.name,
            )
            continue
        for name, tag in tagged.items():
            yield FindingDraft(
                problem=f"all its keys have {_slots(tag)}, so that {_nodes(tag, 'has', 'have')} them all",
                help=_HELP,
                subject=name,
            )


def _slots(tags: tuple[str, ...]) -> str:
    """The tags and the slots that they fill."""
    if len(tags) == 1:
        return f"the hash tag {{{tags[0]}}}: they are in one slot"
    return f"one of the hash tags {', '.join(f'{{{tag}}}' for tag in tags)}: they are in {len(tags)} slots"


def _nodes(tags: tuple[str, ...], verb: str, plural: str) -> str:
    return (
        f"one node of the cluster {verb}"
        if len(tags) == 1
        else f"at most {counted(len(tags), 'node')} of the cluster {plural}"
    )


def _constant_tag(layout: Layout, few: int) -> tuple[str, ...] | None:
    """The texts in the braces of all keys; None if they depend on the item, or if there are no braces."""
    placeholder = next((part for part in layout.key.placeholders if part.is_tag), None)
    attribute = layout.attribute(placeholder.path) if placeholder else None
    constants = attribute.type.constants if attribute is not None and isinstance(attribute.type, Scalar) else ()
    return tuple(map(str, constants)) if 0 < len(constants) <= few else None


def _keys(binding: Binding[Structure], layout: Layout) -> float:
    keys = keys_of(layout)
    if keys is None and layout.kind in KEYED:
        keys = binding.spec.expected
    return float("inf") if keys is None else keys
