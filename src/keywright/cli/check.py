"""`keywright check`: everything that is wrong with the models, for people and for programs."""

from datetime import date
from pathlib import Path

import click

from keywright import api
from keywright.api.choice import options_of
from keywright.api.judged import judge_models
from keywright.errors import DeclarationError, UsageError
from keywright.project.environment import stack_file
from keywright.project.settings import read_settings
from keywright.report import findings
from keywright.rules.models import MODELS
from keywright.rules.options import PROFILES, Options
from keywright.rules.rule import Finding, Report, Rule

from .findings import from_here, lines
from .options import Command, Common, formats
from .say import counted, error_lines, note, relative, relative_file, say
from .values import OneOf


def _codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """What a shell offers for CODE."""
    return [rule.code for rule in MODELS if rule.code.startswith(incomplete.upper())]


@click.command(cls=Command)
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())
@click.option("--profile", type=OneOf(PROFILES), help="Which findings count how much; by default that of the project.")
@click.option(
    "--select",
    multiple=True,
    metavar="CODE",
    shell_complete=_codes,
    help="Ask only this rule, or those whose codes begin so; may be given several times.",
)
@click.option("--ignore", multiple=True, metavar="CODE", shell_complete=_codes, help="Do not ask it.")
@click.option("--fail-on", type=OneOf(("error", "warning", "info")), default="error", show_default=True,
              help="From which severity on the command exits 1.")  # fmt: skip
@formats("text", "concise", "json", "sarif", "github")
@click.pass_obj
def command(
    common: Common,
    paths: tuple[str, ...],
    profile: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str,
    format_: str,
) -> int:
    """Report what is wrong with the models, in the chosen environment: what does not compile, else what will hurt.

    PATH limits the report to files and folders; the whole project is read all the same.

    \b
    keywright check
    keywright --env prod check models/shop.py
    keywright check --profile strict --ignore GEN002
    keywright check --format json | jq '.findings[].code'
    """
    _refuse_missing(paths)
    project, compiled, errors = _checked(common)
    report = Report()
    if compiled and not errors:
        options = options_of(compiled.project.settings, select, ignore, profile)
        report = _judged(compiled, paths, options)
    shown = [error for error in errors if _is_in(error.at.file, paths)]
    if format_ == "json":
        design = project.design if project else None
        say(findings.document([_illegal(error) for error in shown], report, design), nl=False)
    elif format_ in ("sarif", "github"):
        say(_form(format_, shown, report), nl=False)
    elif errors:
        for error in shown:
            for line in _concise(error) if format_ == "concise" else error_lines(error):
                say(line)
        _count(shown, len(errors) - len(shown))
    else:
        _say(report, project, common.verbosity, is_concise=format_ == "concise")
    if errors:
        return 2
    worst = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    return 1 if any(one.severity in worst for one in report.findings) else 0


SEVERITIES = ("error", "warning", "info")
"""The worst first."""


def _checked(common: Common) -> tuple[api.Project | None, api.Compiled | None, list[DeclarationError]]:
    """The project, as it compiles, and all that is illegal in it; nothing where its settings cannot be read."""
    try:
        settings = read_settings(common.project)
    except DeclarationError as error:
        return None, None, [error]
    name = common.env or settings.default_environment
    if common.env:
        stack_file(settings, name)  # a misspelt environment is said even where the models are wrong too
    project, errors = api.try_load(settings)
    compiled, more = (None, errors) if errors else api.try_compile(project, name)
    return project, compiled, more


def _judged(compiled: api.Compiled, paths: tuple[str, ...], options: Options) -> Report:
    report = judge_models(compiled, date.today(), options)
    shown = tuple(one for one in report.findings if _is_in(one.at.file, paths))
    return from_here(Report(shown, tuple(one for one in report.accepted if _is_in(one.finding.at.file, paths))))


def _form(name: str, errors: list[DeclarationError], report: Report) -> str:
    """The report as code hosts read it."""
    illegal = tuple(
        Finding(
            rule=Rule(error.code, is_suppressible=False), severity="error", message=error.problem, help=error.help,
            object=error.subject, at=error.at,
        )
        for error in errors
    )  # fmt: skip
    whole = from_here(Report(illegal)) + report
    if name == "sarif":
        from keywright.report import sarif

        return sarif.document(whole)
    from keywright.report import github

    return github.annotations(whole)


def _say(report: Report, project: api.Project | None, verbosity: int, *, is_concise: bool) -> None:
    for one in report.findings:
        told = [f"{relative(one.at)}: {one.code} {one.object}: {one.message}"] if is_concise else lines(one)
        for line in told:
            say(line)
    if verbosity < 0 or project is None:
        return
    entities = counted(len(project.design.entities), "entity", "entities")
    whole = f"{entities} and {counted(len(project.design.patterns), 'access pattern')}"
    counts = [counted(report.count(one), one) for one in SEVERITIES if report.count(one)]  # type: ignore[arg-type]
    if counts:
        first = report.findings[0].code
        note(f"\n{', '.join(counts)} in {whole}; `keywright explain {first}` tells more about the first")
    else:
        accepted = f", {counted(len(report.accepted), 'finding')} accepted" if report.accepted else ""
        say(f"no errors in {whole}{accepted}")


def _refuse_missing(paths: tuple[str, ...]) -> None:
    for path in paths:
        if not Path(path).exists():
            raise UsageError(f'there is no file or folder "{path}"', "name model files, or folders with some")


def _is_in(at: str, paths: tuple[str, ...]) -> bool:
    """Whether what stands in a file is to be shown; what stands in none always is."""
    file, wanted = Path(at), [Path(path).resolve() for path in paths]
    return not wanted or not at or any(path in (file, *file.parents) for path in wanted)


def _concise(error: DeclarationError) -> list[str]:
    return [f"{relative(error.at)}: {error.code} {error.problem}"]


def _count(shown: list[DeclarationError], elsewhere: int) -> None:
    if elsewhere:
        others = f"{counted(elsewhere, 'error')} elsewhere in the project; `keywright check` shows all"
        note(f"{counted(len(shown), 'error')} here, {others}" if shown else f"no errors here, {others}")
    else:
        note(f"\n{counted(len(shown), 'error')}; `keywright explain {shown[0].code}` tells more about the first")


def _illegal(error: DeclarationError) -> findings.Illegal:
    return findings.Illegal(
        error.code, error.problem, error.help, error.subject, relative_file(error.at.file), error.at.line
    )
