"""RED019: an environment runs a version of Redis or Valkey that receives no security fixes."""

from collections.abc import Iterator

from keywright.engines.capability import is_older
from keywright.engines.findings.context import FindingDraft, RuleContext

from ..findings.servers import servers
from ..schema.capabilities import END_OF_LIFE, END_OF_LIFE_READ, FLAVOURS


def models(context: RuleContext, *, on: str = END_OF_LIFE_READ) -> Iterator[FindingDraft]:
    """The first server of an environment, because all of them have its version.

    on: day from which on no earlier end of life is accepted, by default the day on which the table was read.
    """
    for server in servers(context):
        flavour, version = FLAVOURS[server.environment.flavour], server.environment.version
        ends = {since: end for since, end in END_OF_LIFE.get(flavour.name, {}).items() if _is_part(version, since)}
        end = min(ends.values(), default="")
        if end and end <= on:
            newer = next(
                candidate
                for candidate in flavour.versions
                if not is_older(candidate, version or "") and END_OF_LIFE[flavour.name].get(candidate, "9999") > on
            )
            yield FindingDraft(
                problem=f"{flavour.title} {version} receives no security fixes since {end}: known holes remain open",
                help=f'set version: "{newer}" or later',
                subject=server.name,
                at=server.stored.setting("version"),
            )
        return


def _is_part(version: str | None, of: str) -> bool:
    """Whether a version, such as 7.0.15, belongs to a release, such as 7.0."""
    return version is not None and version.split(".")[:2] == of.split(".")
