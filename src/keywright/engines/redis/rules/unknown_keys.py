"""RED017: a server contains keys that no template of the models writes."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.observation import LiveTarget


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """A server with such keys in the sample."""
    for place, (count, sample) in live_target.observation.unknown_items.items():
        yield FindingDraft(
            problem=(
                f"{sample.of(count, 'matches', 'match')} no template of the "
                f"models{live_target.observation.unknown_example(place)}"
            ),
            help="declare what they are, remove what an older version left, or accept that others use this server",
            subject=live_target.name,
        )
