"""The rules for one engine: a record for its `catalogue.py`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from keywright.engines.registry import modules_of, part_of
from keywright.record import Record, field

from .rule import Rule


class RuleCatalogue(Record, kw_only=True):
    """The rules for one engine, and facts about its resources for rules for every engine."""

    prefix: str
    """Prefix of the codes of its rules."""
    title: str
    """Title of these rules in tables."""
    rules: tuple[Rule, ...] = ()
    """Rules for models, live stores and targets."""
    resources: tuple[Rule, ...] = ()
    """Rules for Pulumi resources."""
    hardening: str = ""
    """Module with `ROWS`, the required arguments of its resources; empty if there are none."""
    with_data: tuple[str, ...] = ()
    """Types of Pulumi resources that contain data."""
    replicas: tuple[str, ...] = ()
    """Types of Pulumi resources that contain copies of data: they need no protection, but their loss is reported."""
    passwords: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """(path of an input that is a password, replacement) by type of resource."""
    nested_passwords: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The same for a second such input of a type."""
    schemes: tuple[str, ...] = ()
    """Schemes of addresses that may contain a password."""
    namespaces: tuple[str, ...] = ()
    """CloudWatch namespaces of its metrics."""
    ports: Mapping[int, str] = field(default_factory=dict)
    """What listens on the TCP ports of its servers."""
    ports_of_rules: tuple[int, ...] = ()
    """Further ports, each of which has a rule of its own."""
    iam: Mapping[str, str] = field(default_factory=dict)
    """Its services on AWS, by the prefix of their IAM actions."""
    full_access: Mapping[str, str] = field(default_factory=dict)
    """The service by the name of a managed policy of AWS that allows every action of it."""
    resource_policies: tuple[str, ...] = ()
    """Types of Pulumi resources that are policies of its resources."""
    lifecycles: str = ""
    """Module with `LIFECYCLES`, the ends of support of its versions; empty if there are none."""


def catalogues_of(engines: Iterable[str]) -> Iterator[RuleCatalogue]:
    """The catalogues of those of the engines that have rules."""
    return (part_of(name, "rules", "CATALOGUE", RuleCatalogue) for name in engines if modules_of(name).rules)


def rules_in(folder: str, engine: str = "") -> Callable[..., Rule]:
    """A function from (code, name, options) of a rule in a folder to the rule.

    engine: the engine of the rules; empty for rules for Pulumi resources.
    """
    return partial(_rule, folder, engine)


def _rule(folder: str, engine: str, code: str, name: str, **options: Any) -> Rule:
    return Rule(code, module=f"{folder}.{name.replace('-', '_')}", engine=engine, **options)
