"""What `keywright check` says of a project: what does not compile, else what rules find and nothing sets aside."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from keywright import api
from keywright.api.choice import options_of
from keywright.api.judged import judge_live, judge_models
from keywright.errors import DeclarationError
from keywright.project import known
from keywright.project.environment import stack_file
from keywright.project.policies import configuration_of
from keywright.project.settings import read_settings
from keywright.rules.models import MODELS
from keywright.rules.options import Options
from keywright.rules.rule import Accepted, Finding, Report

from .options import Common


@dataclass(frozen=True, slots=True)
class Live:
    """What of live stores is asked."""

    is_local: bool
    """Whether the servers of `keywright local` stand for the environment."""
    sample: int
    """About how many items of each table, collection and server are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a command line asks."""

    paths: tuple[str, ...] = ()
    """Files and folders that the report is about; empty for all."""
    select: tuple[str, ...] = ()
    """Rules that are asked."""
    ignore: tuple[str, ...] = ()
    """Rules that are not."""
    profile: str | None = None
    """How findings count."""
    git_base: str | None = None
    """Where the branch began of which alone the findings count."""
    updates_baseline: bool = False
    """Whether the baseline is to be written."""
    live: Live | None = None
    """What of live stores is asked; None for the models alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The answer; places are absolute."""

    project: api.Project | None = None
    """What was read; None where not even its settings could be."""
    errors: Sequence[DeclarationError] = ()
    """What does not compile, where the report is to show it."""
    elsewhere: int = 0
    """How many errors there are elsewhere."""
    report: Report = field(default_factory=Report)
    """What rules find."""
    in_baseline: int = 0
    """How many findings the baseline sets aside."""
    gone: int = 0
    """How many of its findings are there no more."""
    in_base: int = 0
    """How many findings were there where the branch began."""


def judge(common: Common, asked: Asked) -> Judged:
    """Everything that is to be said of the project that the common options name."""
    try:
        settings = read_settings(common.project)
        options = options_of(settings, asked.select, asked.ignore, asked.profile)
    except DeclarationError as error:
        return Judged(errors=[error])
    name = common.env or settings.default_environment
    if common.env:
        stack_file(settings, name)  # a misspelt environment is said even where the models are wrong too
    project, errors = api.try_load(settings)
    compiled, more = (None, errors) if errors else api.try_compile(project, name)
    if compiled is None or more:
        shown = [error for error in more if _is_in(error.at.file, asked.paths)]
        return Judged(project=project, errors=shown, elsewhere=len(more) - len(shown))
    return _without_known(common, compiled, asked, options)


def _without_known(common: Common, compiled: api.Compiled, asked: Asked, options: Options) -> Judged:
    """What rules find in models that compile, without what the baseline and the base of the branch have."""
    today, settings, name = date.today(), compiled.project.settings, compiled.environment.name
    follows_models = compiled.environment.mode == "dev"
    options = configuration_of(settings.root, name).options(options, MODELS, follows_models=follows_models)
    if asked.live is None:
        report = judge_models(compiled, today, options)
    else:
        from .live_check import look  # imports what calls patterns

        report = judge_live(compiled, look(common, asked.live, compiled.project, compiled).seen, today, options)
    baseline = known.read(settings.root)
    unasked = {rule.code for rule in MODELS if options.severity(rule, follows_models=follows_models) is None}
    if asked.updates_baseline:
        baseline = known.updated(baseline, name, report.findings, unasked)
        known.save(settings.root, baseline)
    counting, others, gone = known.set_aside(report.findings, baseline or known.Known(), name, unasked)
    accepted = (*report.accepted, *(Accepted(one, f"it is in {known.FILE}") for one in others))
    in_base = 0
    if asked.git_base is not None:
        from keywright.api.base import added, fingerprints  # starts git and a process

        before = fingerprints(settings, asked.git_base, name, today, options)
        new = list(added(((one.fingerprint, one) for one in counting), before))
        counting, in_base = new, len(counting) - len(new)
    judged = Judged(
        project=compiled.project, report=Report(tuple(counting), accepted), in_baseline=len(others), gone=gone,
        in_base=in_base,
    )  # fmt: skip
    return replace(judged, report=_in_paths(judged.report, asked.paths))


def _in_paths(report: Report, paths: tuple[str, ...]) -> Report:
    def is_shown(one: Finding) -> bool:
        return _is_in(one.at.file, paths)

    shown = tuple(one for one in report.findings if is_shown(one))
    return Report(shown, tuple(one for one in report.accepted if is_shown(one.finding)))


def _is_in(at: str, paths: tuple[str, ...]) -> bool:
    """Whether what stands in a file is to be shown; what stands in none always is."""
    file, wanted = Path(at), [Path(path).resolve() for path in paths]
    return not wanted or not at or any(path in (file, *file.parents) for path in wanted)
