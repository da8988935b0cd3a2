"""MDB042: production runs a release of MongoDB whose support has ended."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.schema.capabilities import END_OF_SUPPORT, FLAVOURS

_OWN_RELEASES = ("mongodb", "atlas")
"""Flavours with MongoDB's releases; DocumentDB has its own."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """The first database of an environment with such a version, except where resources follow the models."""
    target = next(context.of("mongodb"), None)
    if target is None or context.follows_models or target.environment.flavour not in _OWN_RELEASES:
        return
    version = target.environment.version or ""
    end = next((day for release, day in END_OF_SUPPORT.items() if f"{version}.".startswith(f"{release}.")), None)
    if end is not None:
        newest = FLAVOURS[target.environment.flavour].versions[-1]
        yield FindingDraft(
            problem=f"MongoDB {version} has no support since {end}: security holes that are found later stay open",
            help=f'upgrade one release after the other, and set version: "{newest}"',
            subject=target.declared.name,
            at=target.setting("version"),
        )
