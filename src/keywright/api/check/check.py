"""Check a project: errors of its models, else the findings of rules without those that are set aside."""

from collections.abc import Callable, Iterable, Sequence, Set
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from keywright.compiler import Compiled, Project, try_compile, try_load
from keywright.engines.findings.observation import LiveTarget
from keywright.errors import DeclarationError
from keywright.pages.catalogue import DOCUMENTATION
from keywright.project import baseline as baselines
from keywright.project.environments.environment import stack_file
from keywright.project.environments.policies import configuration_of
from keywright.project.settings import Settings, read_settings
from keywright.record import Record, field, replace
from keywright.rules.models import MODELS, rules_about
from keywright.rules.options import RuleOptions
from keywright.rules.rule import Finding, Report, SuppressedFinding

from .environment_facts import is_judged_as_development
from .evaluate import evaluate_live, evaluate_models
from .missing_facts import MissingFact, missing_facts
from .options import options_of

if TYPE_CHECKING:
    from .recheck import Recheck


class CheckOptions(Record, kw_only=True):
    """Choice of rules and of findings."""

    paths: tuple[str, ...] = ()
    """Files and folders to which the report is limited; empty for all."""
    select: tuple[str, ...] = ()
    """Codes, or beginnings of codes, of the only rules to run."""
    ignore: tuple[str, ...] = ()
    """Codes, or beginnings of codes, of rules not to run."""
    profile: str | None = None
    """Profile of severities; None for the project's."""
    git_base: str | None = None
    """Git reference; findings that its merge base has too are left out."""
    updates_baseline: bool = False
    """Whether to write the baseline."""


class CheckReport(Record, kw_only=True):
    """Result of a check; places are absolute."""

    project: Project | None = None
    """The project; None if its settings could not be read."""
    errors: Sequence[DeclarationError] = ()
    """Errors for which the models do not compile, in the chosen paths."""
    elsewhere: int = 0
    """Number of errors in other paths."""
    report: Report = field(default_factory=Report)
    """Findings of rules, and suppressed findings."""
    in_baseline: int = 0
    """Number of findings that the baseline sets aside."""
    gone: int = 0
    """Number of the baseline's findings that no longer exist."""
    in_base: int = 0
    """Number of findings that the merge base has too."""
    missing: tuple[MissingFact, ...] = ()
    """Undeclared facts without which rules did not judge."""

    @property
    def documentation(self) -> str:
        """Address of the published pages of codes."""
        return self.project.settings.documentation if self.project else DOCUMENTATION

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings that count, errors first."""
        return self.report.findings

    @property
    def suppressed(self) -> tuple[SuppressedFinding, ...]:
        """Findings that are set aside, each with its reason."""
        return self.report.accepted


Observe = Callable[[Compiled], Iterable[LiveTarget]]
"""Reads the live stores of a compiled project."""


def check(
    project: str | Settings | None, environment: str | None, options: CheckOptions, observe: Observe | None = None
) -> CheckReport:
    """Check a project.

    project: its folder or settings; None for the nearest project. environment: None for the default one. observe:
    reads the live stores; None to check the models alone.
    """
    try:
        settings = project if isinstance(project, Settings) else read_settings(project)
        rule_options = options_of(settings, options.select, options.ignore, options.profile)
    except DeclarationError as error:
        return CheckReport(errors=[error])
    name = environment or settings.default_environment
    if environment:
        stack_file(settings, name)  # raises for a misspelt environment, even if the models are wrong too
    loaded, errors = try_load(settings)
    compiled, more = (None, errors) if errors else try_compile(loaded, name)
    if compiled is None or more:
        shown = [error for error in more if _is_in(error.at.file, options.paths)]
        return CheckReport(project=loaded, errors=shown, elsewhere=len(more) - len(shown))
    report = _check(compiled, options, rule_options, observe)
    return replace(report, report=_in_paths(report.report, options.paths))


def _check(
    compiled: Compiled, options: CheckOptions, rule_options: RuleOptions, observe: Observe | None
) -> CheckReport:
    """Findings in models that compile, without those of the baseline and of the merge base."""
    today, settings, name = date.today(), compiled.project.settings, compiled.environment.name
    follows_models = is_judged_as_development(compiled.environment)
    rule_options = configuration_of(settings.root, name).options(rule_options, MODELS, follows_models=follows_models)
    if observe is None:
        report = evaluate_models(compiled, today, rule_options)
    else:
        report = evaluate_live(compiled, observe(compiled), today, rule_options)
    baseline = baselines.read(settings.root)
    disabled = {rule.code for rule in MODELS if rule_options.severity(rule, follows_models=follows_models) is None}
    if options.updates_baseline:
        baseline = baselines.update(baseline, name, report.findings, disabled)
        baselines.save(settings.root, baseline)
    counting, others, gone = baselines.split(report.findings, baseline or baselines.Baseline(), name, disabled)
    accepted = (*report.accepted, *(SuppressedFinding(finding, f"it is in {baselines.FILE}") for finding in others))
    in_base = 0
    if options.git_base is not None:
        from keywright.api.check.merge_base import added, fingerprints  # starts git and a process

        before = fingerprints(settings, options.git_base, name, today, rule_options)
        new = list(added(((finding.fingerprint, finding) for finding in counting), before))
        counting, in_base = new, len(counting) - len(new)
    return CheckReport(
        project=compiled.project, report=Report(tuple(counting), accepted), in_baseline=len(others), gone=gone,
        in_base=in_base, missing=_missing(compiled, disabled),
    )  # fmt: skip


def _missing(compiled: Compiled, disabled: Set[str]) -> tuple[MissingFact, ...]:
    """The facts that the rules lacked that ran."""
    design = compiled.project.design
    engines = {physical.engine for physical in design.physicals}
    ran = [rule for rule in rules_about(engines) if rule.code not in disabled and rule.engine in ("", *engines)]
    return tuple(missing_facts(design, ran))


def recheck_of(settings: Settings, environment: str | None, options: CheckOptions) -> "Recheck":
    """Check of a project with other texts of its files: by all rules, even if only some are selected."""
    from .recheck import rechecking  # starts a process

    rule_options = options_of(settings, (), options.ignore, options.profile)
    return rechecking(settings, environment or settings.default_environment, date.today(), rule_options)


def _in_paths(report: Report, paths: tuple[str, ...]) -> Report:
    def is_shown(finding: Finding) -> bool:
        return _is_in(finding.at.file, paths)

    findings = tuple(finding for finding in report.findings if is_shown(finding))
    return Report(findings, tuple(suppressed for suppressed in report.accepted if is_shown(suppressed.finding)))


def _is_in(at: str, paths: tuple[str, ...]) -> bool:
    """Whether a file is in one of the paths; a finding without a file always is."""
    file, folders = Path(at), [Path(path).resolve() for path in paths]
    return not folders or not at or any(path in (file, *file.parents) for path in folders)
