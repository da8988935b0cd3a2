"""GEN044: two environments use the same tables of a service, or have the same names in what may be one cluster."""

import re
from collections.abc import Iterator

from keywright.engines.environment import EngineEnvironment
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.environment_facts import EnvironmentFacts
from keywright.engines.registry import engine_named
from keywright.record import fields

_ACCOUNTS = ("aws:profile", "aws:assumeRole.roleArn", "aws:allowedAccountIds", "aws:accessKey")
"""Configuration that selects an account."""

_UNNAMED = frozenset(("dc1", "datacenter1", "dc"))
"""Names of data centres that servers have by default, whichever cluster they belong to."""

_ACCOUNT = re.compile(r"^arn:aws[\w-]*:\w+:[\w-]*:(\d{12}):")
"""The account in the name of a topic, key or role."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report an environment with the region, account and prefix of names of another one, of which one is gated."""
    yield from _clusters(context)
    environment = context.environment
    services = {target.engine for target in context.targets if engine_named(target.engine).service}
    for engine in sorted(services):
        for other in context.other_environments():
            if "gated" in (environment.mode, other.mode) and _are_same(environment, other, engine):
                region = environment.text("aws:region")
                yield FindingDraft(
                    problem=f'its tables have the names of those of "{other.name}"{f" in {region}" if region else ""}, '
                    "and no setting tells their accounts apart: a test run changes the data of both",
                    help=f'write a prefix of its own, such as name-prefix: "{environment.name}-", or the account of '
                    "each as aws:allowedAccountIds",
                    subject=environment.name,
                    engine=engine,
                    at=environment.at,
                )
                break


def _clusters(context: RuleContext) -> Iterator[FindingDraft]:
    """An environment with the names, kind and place of servers of another one: an address is all that differs."""
    environment = context.environment
    engines = sorted({target.engine for target in context.targets if not engine_named(target.engine).service})
    for other in context.other_environments():
        shared = {}
        for engine in engines if "gated" in (environment.mode, other.mode) else ():
            settings, others = environment.engines.get(engine), other.engines.get(engine)
            if settings is not None and others is not None and _are_same(environment, other, engine):
                prefix = next((name for name in _names(settings) if name.endswith("_prefix")), "")
                place = _place(environment, other, settings, others)
                if prefix and place:
                    shared[engine] = f"{engine} ({place})", f'{prefix.replace("_", "-")}: "{other.name}_"'
        if shared:
            stores, prefixes = zip(*shared.values(), strict=True)
            yield FindingDraft(
                problem=f'it has the same flavour, place and names as "{other.name}" for {" and ".join(stores)}: a '
                "test run that gets its address changes the data of both",
                help=f'write {" and ".join(prefixes)} in the environment "{other.name}"',
                subject=environment.name,
                engine=next(iter(shared)),
                at=environment.at,
                severity="warning",  # that they are one cluster is inferred
            )
            break


def _place(environment: EnvironmentFacts, other: EnvironmentFacts, *settings: EngineEnvironment) -> str:
    """The data centres that two environments share, or their region; empty without either."""
    datacentres = [part.datacentres.keys() for part in settings if hasattr(part, "datacentres")]
    if len(datacentres) < len(settings):
        region = environment.text("aws:region")
        return region if region == other.text("aws:region") else ""
    return ", ".join(sorted(frozenset.intersection(*map(frozenset, datacentres)) - _UNNAMED))


def _names(settings: EngineEnvironment) -> list[str]:
    """Settings that tell the names of tables and databases, and the kind of their servers."""
    return [spec.name for spec in fields(type(settings)) if spec.name == "flavour" or spec.name.endswith("_prefix")]


def _are_same(environment: EnvironmentFacts, other: EnvironmentFacts, engine: str) -> bool:
    """Whether both find the same tables."""
    pair = (environment, other)
    settings, others = (facts.engines.get(engine) for facts in pair)
    if settings is None or others is None:
        return False
    accounts, other_accounts = ({_account(text.text) for text in facts.texts} - {""} for facts in pair)
    return (
        all(getattr(settings, name) == getattr(others, name) for name in _names(settings))
        and all(environment.text(key) == other.text(key) for key in ("aws:region", *_ACCOUNTS))
        and (not accounts or not other_accounts or bool(accounts & other_accounts))
    )


def _account(text: str) -> str:
    match = _ACCOUNT.match(text)
    return match[1] if match else ""
