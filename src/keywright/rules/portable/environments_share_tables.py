"""GEN044: two environments use the same tables of a service."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.environment_facts import EnvironmentFacts
from keywright.engines.registry import engine_named
from keywright.record import fields

_ACCOUNTS = ("aws:profile", "aws:assumeRole.roleArn", "aws:allowedAccountIds", "aws:accessKey")
"""Configuration that selects an account."""

_ACCOUNT = re.compile(r"^arn:aws[\w-]*:\w+:[\w-]*:(\d{12}):")
"""The account in the name of a topic, key or role."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report an environment with the region, account and prefix of names of another one, of which one is gated."""
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


def _are_same(environment: EnvironmentFacts, other: EnvironmentFacts, engine: str) -> bool:
    """Whether both find the same tables."""
    pair = (environment, other)
    settings, others = (facts.engines.get(engine) for facts in pair)
    if settings is None or others is None:
        return False
    prefixes = [spec.name for spec in fields(type(settings)) if spec.name == "flavour" or spec.name.endswith("_prefix")]
    accounts, other_accounts = ({_account(text.text) for text in facts.texts} - {""} for facts in pair)
    return (
        all(getattr(settings, name) == getattr(others, name) for name in prefixes)
        and all(environment.text(key) == other.text(key) for key in ("aws:region", *_ACCOUNTS))
        and (not accounts or not other_accounts or bool(accounts & other_accounts))
    )


def _account(text: str) -> str:
    match = _ACCOUNT.match(text)
    return match[1] if match else ""
