"""`keywright check`: compile errors and findings in the models."""

import time
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from keywright.api.check.check import CheckOptions, CheckReport, Observe, check, recheck_of
from keywright.compiler import Compiled
from keywright.engines.findings.observation import LiveTarget
from keywright.errors import DeclarationError, UsageError
from keywright.ir.json import Json
from keywright.ir.text import exact
from keywright.pages.catalogue import url_of
from keywright.project import fast_path
from keywright.project.baseline import FILE
from keywright.project.environments.policies import FOLDER
from keywright.project.formatter import line_length
from keywright.report import findings
from keywright.rules.models import MODELS
from keywright.rules.options import PROFILES
from keywright.rules.rule import SEVERITIES, Finding, Report, Rule

from .. import check_summary
from ..fast_path import key
from ..findings import with_relative_files
from ..options import Command, Common, formats
from ..output import print_line, relative_file
from ..values import Choice, WholeNumber

if TYPE_CHECKING:
    from ..live_check import LiveOptions

DOCUMENTS = ("sarif", "github", "gitlab", "junit", "markdown")
"""Formats for code hosts, each a module of `report`."""

FORMATS = ("text", "concise", "json", *DOCUMENTS)
"""All formats."""

SAMPLE = 1000
"""Approximate number of items that a live check reads of each table, collection and server."""


def _codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Shell completions of CODE."""
    return [rule.code for rule in MODELS if rule.code.startswith(incomplete.upper())]


@click.command(cls=Command)
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())
@click.option("--profile", type=Choice(PROFILES), help="Profile of severities; by default the project's profile.")
@click.option(
    "--select",
    multiple=True,
    metavar="CODE",
    shell_complete=_codes,
    help="Run only rules whose code starts with CODE; may be repeated.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="CODE",
    shell_complete=_codes,
    help="Do not run rules whose code starts with CODE; may be repeated.",
)
@click.option("--fail-on", type=Choice(SEVERITIES), default="error", show_default=True,
              help="Lowest severity for which the command exits 1.")  # fmt: skip
@click.option("--git-base", metavar="REF", help="Report only findings that are new since the merge base with REF.")
@click.option("--update-baseline", is_flag=True,
              help="Write baseline.json: all findings the first time, then only those that still occur.")  # fmt: skip
@click.option("--fix", "fixes", is_flag=True, help="Write the safe fixes into the model files, then check again.")
@click.option(
    "--unsafe-fixes", is_flag=True, help="With --fix or --diff: include fixes that change keys, data or cost."
)
@click.option("--diff", is_flag=True, help="Show the changes of fixes, and write nothing.")
@click.option("--explain", is_flag=True, help="In text: also print why the finding is bad, once for each code.")
@click.option("--live", is_flag=True, help="Check the stores of --env or --local too.")
@click.option("--local", "is_local", is_flag=True, help="With --live: use the servers of `keywright local`.")
@click.option("--sample", type=WholeNumber(1), help="With --live: approximate number of items to read of each table or "
              f"collection; {SAMPLE} by default.")  # fmt: skip
@formats(*FORMATS)
@click.pass_obj
def command(
    common: Common,
    paths: tuple[str, ...],
    profile: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str,
    git_base: str | None,
    update_baseline: bool,
    fixes: bool,
    unsafe_fixes: bool,
    diff: bool,
    explain: bool,
    live: bool,
    is_local: bool,
    sample: int | None,
    format_: str,
) -> int:
    """Report compile errors of the models; if there are none, findings of the rules in the environment.

    PATH limits the report to files and folders, but the command always reads the complete project.

    With --live, the command also reads the stores at a limited rate: samples of items, indexes, figures, and the
    server's explanation of each access pattern. It writes nothing to them.

    \b
    keywright check
    keywright --env prod check models/shop.py
    keywright check --profile strict --ignore GEN002
    keywright check --select MDB --explain
    keywright check --git-base main --format github
    keywright check --fix --diff --unsafe-fixes
    keywright --env prod check --live --sample 200
    keywright check --format json | jq '.findings[].code'
    """
    started = time.time_ns()
    _reject_missing(paths)
    if unsafe_fixes and not (fixes or diff):
        raise UsageError('"--unsafe-fixes" requires --diff or --fix', "add --diff to see them, or --fix to write them")
    if explain and format_ != "text":
        raise UsageError(f'"--explain" does not work with --format {format_}', "remove one of them")
    live_options = _live(live, is_local, sample, update_baseline)
    options = CheckOptions(
        paths=paths, profile=profile, select=select, ignore=ignore, git_base=git_base, updates_baseline=update_baseline
    )
    check_report = check(common.project, common.env, options, _observe(common, live_options))
    settings = check_report.project.settings if check_report.project else None
    if settings and (fixes or diff) and not check_report.errors:
        from .. import fixes as fix_commands

        recheck = recheck_of(settings, common.env, options)
        if diff:
            return fix_commands.show(settings, check_report.report, recheck, is_unsafe=unsafe_fixes)
        arguments = _arguments(common, options, live_options, fail_on, format_)
        return fix_commands.apply_fixes(settings, check_report.report, recheck, arguments, is_unsafe=unsafe_fixes)
    _print_report(check_report, common, options, format_, explains=explain)
    if options == CheckOptions() and live_options is None and format_ == "text":
        _store_in_cache(check_report, common.env, started)
    if check_report.errors or check_report.elsewhere:
        return 2
    failing = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    return 1 if any(finding.severity in failing for finding in check_report.report.findings) else 0


def _live(is_live: bool, is_local: bool, sample: int | None, updates_baseline: bool) -> "LiveOptions | None":
    """Options of a live check, None without --live; UsageError for options that do not fit."""
    if not is_live:
        if is_local or sample is not None:
            raise UsageError(f'"{"--local" if is_local else "--sample"}" requires --live', "add --live")
        return None
    if updates_baseline:
        problem = "--update-baseline does not work with --live: a baseline contains only findings of models"
        raise UsageError(problem, "write it without --live; --live uses it too")
    from ..live_check import LiveOptions  # imports the runtime

    return LiveOptions(is_local, sample or SAMPLE)


def _observe(common: Common, live: "LiveOptions | None") -> Observe | None:
    """Function that reads the live stores and prints its progress; None without a live check."""
    if live is None:
        return None

    def observe(compiled: Compiled) -> Iterable[LiveTarget]:
        from ..live_check import run

        return run(common, live, compiled.project, compiled).targets

    return observe


def _arguments(
    common: Common, options: CheckOptions, live: "LiveOptions | None", fail_on: str, format_: str
) -> list[str]:
    """Arguments of the same command without --fix."""
    values = {
        "--project": common.project, "--env": common.env, "--profile": options.profile, "--git-base": options.git_base,
        "--sample": str(live.sample) if live else None,
        "--import-timeout": exact(common.import_timeout) if common.import_timeout else None,
    }  # fmt: skip
    arguments = ["check", *options.paths, "--fail-on", fail_on, "--format", format_]
    arguments += [word for option, value in values.items() if value for word in (option, value)]
    arguments += [word for code in options.select for word in ("--select", code)]
    arguments += [word for code in options.ignore for word in ("--ignore", code)]
    if live:
        arguments += ["--live", "--local"] if live.is_local else ["--live"]
    return [*arguments, "-q"] if common.verbosity < 0 else arguments


def _print_report(
    check_report: CheckReport, common: Common, options: CheckOptions, format_: str, *, explains: bool
) -> None:
    """Print the report in a format.

    explains: whether text includes the reasons of codes.
    """
    report = with_relative_files(check_report.report)
    if format_ == "json":
        design = check_report.project.design if check_report.project else None
        documentation = check_report.documentation
        fixes = _fixes(check_report, common, options)
        errors = [_compile_error(error, documentation) for error in check_report.errors]
        missing = [(fact.option, fact.names, fact.codes) for fact in check_report.missing]
        print_line(findings.document(errors, report, design, fixes, missing), nl=False)
    elif format_ in DOCUMENTS:
        error_report = Report(tuple(map(_finding, check_report.errors))).with_documentation(check_report.documentation)
        with_errors = with_relative_files(error_report) + report
        module = import_module(f"keywright.report.{format_}")
        print_line(module.document(with_errors), nl=False)
    else:
        is_concise = format_ == "concise"
        check_summary.print_summary(check_report, common.verbosity, is_concise=is_concise, explains=explains)


def _fixes(check_report: CheckReport, common: Common, options: CheckOptions) -> list[Json]:
    """JSON of the fix of each finding; None for a fix that would add a finding."""
    from keywright.api.check.fix import described, fix_all  # only JSON documents contain every fix

    if check_report.project is None:
        return []
    settings, all_findings = check_report.project.settings, check_report.report.findings
    width = line_length(settings.root)
    fixed_files = fix_all(all_findings, width, recheck_of(settings, common.env, options), is_unsafe=True)
    fixed = {finding.fingerprint for file in fixed_files for finding in file.findings}
    return [
        described(finding, width, relative_file) if finding.fingerprint in fixed else None for finding in all_findings
    ]


def _finding(error: DeclarationError) -> Finding:
    """A compile error as a finding."""
    rule = Rule(error.code, is_suppressible=False)
    return Finding(
        rule=rule, severity="error", message=error.problem, help=error.help, object=error.subject, at=error.at
    )  # fmt: skip


def _store_in_cache(check_report: CheckReport, environment: str | None, started: int) -> None:
    """Cache the answer of a check without findings, with the files that it depends on."""
    project = check_report.project
    if (
        project is None
        or check_report.errors
        or check_report.elsewhere
        or check_report.report.findings
        or check_report.gone
    ):
        return
    root = project.settings.root
    paths = [path for path in (root / FILE, root / FOLDER) if path.exists()]
    folders = [path for path in paths if path.is_dir()]
    read = [path for path in paths if path.is_file()] + [file for folder in folders for file in folder.glob("*.json")]
    name = f"check-{key(environment)}"
    fast_path.of_models(
        project.settings, project.files, name, started, folders=folders, read=read,
        answer=check_summary.success_text(check_report),
        expires_today=True,
    )  # fmt: skip


def _reject_missing(paths: tuple[str, ...]) -> None:
    for path in paths:
        if not Path(path).exists():
            raise UsageError(f'there is no file or folder "{path}"', "name model files, or folders that contain them")


def _compile_error(error: DeclarationError, documentation: str) -> findings.CompileError:
    return findings.CompileError(
        error.code, error.problem, error.help, error.subject, relative_file(error.at.file), error.at.line,
        url_of(error.code, documentation),
    )  # fmt: skip
