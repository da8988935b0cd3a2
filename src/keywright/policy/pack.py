"""Makes policies of rules: one for each, under the rule's name."""

import os
import re
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pulumi_policy import (
    EnforcementLevel,
    Policy,
    PolicyConfigSchema,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
    StackValidationArgs,
    StackValidationPolicy,
)
from pulumi_policy.proxy import UNKNOWN_STRING_VALUE, UnknownValueError

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import NotKnown
from keywright.errors import DeclarationErrors
from keywright.pages.catalogue import page, section
from keywright.project.policies import check_folder
from keywright.rules.configuration import EXCLUDED, schema
from keywright.rules.infra.catalogue import of_programs
from keywright.rules.infra.hardened import has_remedy, remedies
from keywright.rules.infra.judge import is_of_resources, on_resource, on_stack
from keywright.rules.parameters import checked
from keywright.rules.rule import Rule

from .environment import environment
from .plain import behind, of_args, of_stack

_SEVERITIES = {"error": Severity.HIGH, "warning": Severity.MEDIUM, "info": Severity.LOW}

_ADDRESS = re.compile(r"https?://[^\s)>,;]+")


def policies(pack: str) -> list[Policy]:
    """The policies of a pack, in the order of their codes.

    pack: a file of the pack, usually `__file__`; the configurations in its folder, `config.<environment>.json`, are
    read, and one that names an unknown rule or parameter ends the pack with a message: Pulumi would pass over it.
    """
    folder = Path(pack).resolve().parent
    try:
        check_folder(folder)
    except DeclarationErrors as errors:
        told = "\n".join(map(str, errors.exceptions))
        raise SystemExit(told.replace(f"{folder.parent}{os.sep}", "")) from None
    return [_policy(rule) for rule in of_programs()]


def _policy(rule: Rule) -> Policy:
    said: dict[str, Any] = {
        "name": rule.name,
        "description": f"{rule.code}: {rule.summary}",
        "enforcement_level": EnforcementLevel.MANDATORY if rule.severity == "error" else EnforcementLevel.ADVISORY,
        "config_schema": PolicyConfigSchema(schema(rule)),
        "display_name": f"{rule.code} {rule.name}",
        "severity": _SEVERITIES[rule.severity],
        "tags": [rule.code, rule.engine or ("infrastructure" if rule.code.startswith("INF") else "all")],
        "remediation_steps": section(page(rule.code).text, "Fix"),
        "url": _address(rule),
    }
    if not is_of_resources(rule):
        return StackValidationPolicy(validate=_on_stack(rule), **said)
    remediate = _remediation(rule) if has_remedy(rule.code) else None
    return ResourceValidationPolicy(validate=_on_resource(rule), remediate=remediate, **said)


def _address(rule: Rule) -> str | None:
    """Where the fact behind a rule is documented; its own page is printed by `keywright explain`."""
    found = _ADDRESS.search(section(page(rule.code).text, "Source"))
    return found[0] if found else None


def _on_resource(rule: Rule) -> Callable[[ResourceValidationArgs, ReportViolation], None]:
    def validate(args: ResourceValidationArgs, report: ReportViolation) -> None:
        excluded, given = _given(rule, args.get_config())
        if _is_excluded(args.name, excluded):
            args.not_applicable(f'"{args.name}" is left out by {EXCLUDED}')
        try:
            for flaw in on_resource(rule, of_args(args), environment(), given):
                report(_worded(flaw), None)
        except NotKnown as error:
            raise UnknownValueError(UNKNOWN_STRING_VALUE, error.path.split(".")) from None

    return validate


def _on_stack(rule: Rule) -> Callable[[StackValidationArgs, ReportViolation], None]:
    def validate(args: StackValidationArgs, report: ReportViolation) -> None:
        excluded, given = _given(rule, args.get_config())
        resources = of_stack(args.resources)
        names = {one.urn: one.name for one in resources}
        try:
            for flaw in on_stack(rule, resources, environment(), given):
                if not _is_excluded(names.get(flaw.subject, ""), excluded):
                    report(_worded(flaw), flaw.subject if flaw.subject in names else None)
        except NotKnown as error:
            raise UnknownValueError(UNKNOWN_STRING_VALUE, error.path.split(".")) from None

    return validate


def _remediation(rule: Rule) -> Callable[[ResourceValidationArgs], Any]:
    """Sets what a row wants; what else the program says is handed on as it came, secrets and all."""

    def remediate(args: ResourceValidationArgs) -> Mapping[str, Any] | None:
        excluded, _ = _given(rule, args.get_config())
        if _is_excluded(args.name, excluded):
            return None
        try:
            found = list(remedies(rule.code, of_args(args)))
        except NotKnown as error:
            raise UnknownValueError(UNKNOWN_STRING_VALUE, error.path.split(".")) from None
        made: dict[str, Any] = dict(behind(args.props))
        for argument, value in found:
            block, _, name = argument.rpartition(".")
            if block:
                made[block] = {**(made.get(block) or {}), name: value}
            else:
                made[name] = value
        return made if found else None

    return remediate


def _given(rule: Rule, config: Mapping[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """(patterns of names that are left out, values of parameters) of a policy's configuration."""
    given = {key: checked(rule, key, value) for key, value in config.items() if key != EXCLUDED}
    return list(config.get(EXCLUDED) or ()), given


def _is_excluded(name: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _worded(flaw: Flaw) -> str:
    return f"{flaw.problem}\n  help: {flaw.help}"
