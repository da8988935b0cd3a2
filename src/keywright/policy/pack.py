"""Creates policies from rules: one for each rule, with the rule's name."""

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

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import NotKnown
from keywright.errors import DeclarationErrors
from keywright.pages.catalogue import page, section
from keywright.project.environments.policies import check_folder
from keywright.rules.configuration import EXCLUDED, schema
from keywright.rules.infra.catalogue import of_programs
from keywright.rules.infra.hardening_rules import has_remedy, remedies
from keywright.rules.infra.run import is_of_resources, on_resource, on_stack
from keywright.rules.parameters import checked
from keywright.rules.rule import SEVERITIES, Rule

from .environment import environment
from .plain import behind, of_args, of_stack

_PULUMI_SEVERITIES = dict(zip(SEVERITIES, (Severity.HIGH, Severity.MEDIUM, Severity.LOW, Severity.LOW), strict=True))

_ADDRESS = re.compile(r"https?://[^\s)>,;]+")


def policies(pack: str) -> list[Policy]:
    """The policies of a pack, in the order of their codes.

    pack: a file of the pack, usually `__file__`; the configurations in its folder, `config.<environment>.json`, are
    checked, and an unknown rule or parameter ends the pack with a message, because Pulumi would ignore it.
    """
    folder = Path(pack).resolve().parent
    try:
        check_folder(folder)
    except DeclarationErrors as errors:
        text = "\n".join(map(str, errors.exceptions))
        raise SystemExit(text.replace(f"{folder.parent}{os.sep}", "")) from None
    return [_policy(rule) for rule in of_programs()]


def _policy(rule: Rule) -> Policy:
    arguments: dict[str, Any] = {
        "name": rule.name,
        "description": f"{rule.code}: {rule.summary}",
        "enforcement_level": EnforcementLevel.MANDATORY if rule.severity == "error" else EnforcementLevel.ADVISORY,
        "config_schema": PolicyConfigSchema(schema(rule)),
        "display_name": f"{rule.code} {rule.name}",
        "severity": _PULUMI_SEVERITIES[rule.severity],
        "tags": [rule.code, rule.engine or ("infrastructure" if rule.code.startswith("INF") else "all")],
        "remediation_steps": section(page(rule.code).text, "Fix"),
        "url": _address(rule),
    }
    if not is_of_resources(rule):
        return StackValidationPolicy(validate=_on_stack(rule), **arguments)
    remediate = _remediation(rule) if has_remedy(rule.code) else None
    return ResourceValidationPolicy(validate=_on_resource(rule), remediate=remediate, **arguments)


def _address(rule: Rule) -> str | None:
    """The documentation of the fact behind a rule; `keywright explain` prints the rule's own page."""
    match = _ADDRESS.search(section(page(rule.code).text, "Source"))
    return match[0] if match else None


def _on_resource(rule: Rule) -> Callable[[ResourceValidationArgs, ReportViolation], None]:
    def validate(args: ResourceValidationArgs, report: ReportViolation) -> None:
        excluded, parameters = _configured(rule, args.get_config())
        if _is_excluded(args.name, excluded):
            args.not_applicable(f'"{args.name}" is excluded by {EXCLUDED}')
        try:
            for finding in on_resource(rule, of_args(args), environment(), parameters):
                report(_message(finding), None)
        except NotKnown as error:
            raise UnknownValueError(UNKNOWN_STRING_VALUE, error.path.split(".")) from None

    return validate


def _on_stack(rule: Rule) -> Callable[[StackValidationArgs, ReportViolation], None]:
    def validate(args: StackValidationArgs, report: ReportViolation) -> None:
        excluded, parameters = _configured(rule, args.get_config())
        resources = of_stack(args.resources)
        names = {resource.urn: resource.name for resource in resources}
        try:
            for finding in on_stack(rule, resources, environment(), parameters):
                if not _is_excluded(names.get(finding.subject, ""), excluded):
                    report(_message(finding), finding.subject if finding.subject in names else None)
        except NotKnown as error:
            raise UnknownValueError(UNKNOWN_STRING_VALUE, error.path.split(".")) from None

    return validate


def _remediation(rule: Rule) -> Callable[[ResourceValidationArgs], Any]:
    """Sets the inputs of a hardening rule; other inputs are returned as received, with their secrets."""

    def remediate(args: ResourceValidationArgs) -> Mapping[str, Any] | None:
        excluded, _ = _configured(rule, args.get_config())
        if _is_excluded(args.name, excluded):
            return None
        try:
            changes = list(remedies(rule.code, of_args(args)))
        except NotKnown as error:
            raise UnknownValueError(UNKNOWN_STRING_VALUE, error.path.split(".")) from None
        inputs: dict[str, Any] = dict(behind(args.props))
        for argument, value in changes:
            block, _, name = argument.rpartition(".")
            if block:
                inputs[block] = {**(inputs.get(block) or {}), name: value}
            else:
                inputs[name] = value
        return inputs if changes else None

    return remediate


def _configured(rule: Rule, config: Mapping[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """(patterns of excluded names, values of parameters) of a policy's configuration."""
    parameters = {key: checked(rule, key, value) for key, value in config.items() if key != EXCLUDED}
    return list(config.get(EXCLUDED) or ()), parameters


def _is_excluded(name: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _message(finding: FindingDraft) -> str:
    return f"{finding.problem}\n  help: {finding.help}"
