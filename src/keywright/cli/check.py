"""`keywright check`: everything that is wrong with the models, for people and for programs."""

import time
from importlib import import_module
from pathlib import Path

import click

from keywright.errors import DeclarationError, UsageError
from keywright.project import remember
from keywright.project.formatter import line_length
from keywright.project.known import FILE
from keywright.project.policies import FOLDER
from keywright.report import findings
from keywright.rules.models import MODELS
from keywright.rules.options import PROFILES
from keywright.rules.rule import Finding, Report, Rule

from . import verdict
from .findings import from_here
from .fresh import key
from .judging import Asked, Judged, Live, judge
from .options import Command, Common, formats
from .say import relative_file, say
from .values import OneOf, Whole

DOCUMENTS = ("sarif", "github", "gitlab", "junit", "markdown")
"""Forms for code hosts, each a module of `report`."""

FORMATS = ("text", "concise", "json", *DOCUMENTS)
"""All forms."""

SAMPLE = 1000
"""About how many items of each table, collection and server a live check reads."""


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
@click.option("--fail-on", type=OneOf(verdict.SEVERITIES), default="error", show_default=True,
              help="From which severity on the command exits 1.")  # fmt: skip
@click.option("--git-base", metavar="REF", help="Report only what was not found where the branch left this one.")
@click.option("--update-baseline", is_flag=True,
              help="Write baseline.json: all findings the first time, later only what is left of them.")  # fmt: skip
@click.option("--fix", "fixes", is_flag=True, help="Write the safe fixes into the model files, then check again.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: those too that change keys, data or cost.")
@click.option("--diff", is_flag=True, help="Show what fixes would change, and write nothing.")
@click.option("--live", is_flag=True, help="Look at the stores of --env or --local too: what only a server knows.")
@click.option("--local", "is_local", is_flag=True, help="With --live: on the servers of `keywright local`.")
@click.option("--sample", type=Whole(1), help="With --live: about how many items of each table or collection are read; "
              f"{SAMPLE} by default.")  # fmt: skip
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
    live: bool,
    is_local: bool,
    sample: int | None,
    format_: str,
) -> int:
    """Report what is wrong with the models, in the chosen environment: what does not compile, else what will hurt.

    PATH limits the report to files and folders; the whole project is read all the same.

    With --live, the stores are read too, slowly and only in part: samples of items, indexes, figures, and the server's
    own account of each pattern. Nothing is written.

    \b
    keywright check
    keywright --env prod check models/shop.py
    keywright check --profile strict --ignore GEN002
    keywright check --git-base main --format github
    keywright check --fix --diff --unsafe-fixes
    keywright --env prod check --live --sample 200
    keywright check --format json | jq '.findings[].code'
    """
    begun = time.time_ns()
    _refuse_missing(paths)
    if unsafe_fixes and not (fixes or diff):
        raise UsageError('"--unsafe-fixes" does nothing by itself', "add --diff to see them, or --fix to write them")
    asked = Asked(
        paths=paths, profile=profile, select=select, ignore=ignore, git_base=git_base,
        updates_baseline=update_baseline, live=_live(live, is_local, sample, update_baseline),
    )  # fmt: skip
    judged = judge(common, asked)
    settings = judged.project.settings if judged.project else None
    if settings and (fixes or diff) and not judged.errors:
        from . import fixes as fixing

        if diff:
            return fixing.show(settings, judged.report, is_unsafe=unsafe_fixes)
        again = _again(common, asked, fail_on, format_)
        return fixing.carry_out(settings, judged.report, again, is_unsafe=unsafe_fixes)
    _say(judged, common.verbosity, format_)
    if asked == Asked() and format_ == "text":
        _remember(judged, common.env, begun)
    if judged.errors or judged.elsewhere:
        return 2
    worst = verdict.SEVERITIES[: verdict.SEVERITIES.index(fail_on) + 1]
    return 1 if any(one.severity in worst for one in judged.report.findings) else 0


def _live(is_live: bool, is_local: bool, sample: int | None, updates_baseline: bool) -> Live | None:
    """What of live stores is asked; UsageError for options that go with it alone, or not with it."""
    if not is_live:
        if is_local or sample is not None:
            raise UsageError(f'"{"--local" if is_local else "--sample"}" goes with --live', "add --live")
        return None
    if updates_baseline:
        problem = "a baseline is of the models: what live stores hold is another thing tomorrow"
        raise UsageError(problem, "write it without --live; it sets findings aside with --live too")
    return Live(is_local, sample or SAMPLE)


def _again(common: Common, asked: Asked, fail_on: str, format_: str) -> list[str]:
    """The same command without its fixes."""
    given = {
        "--project": common.project, "--env": common.env, "--profile": asked.profile, "--git-base": asked.git_base,
        "--sample": str(asked.live.sample) if asked.live else None,
    }  # fmt: skip
    made = ["check", *asked.paths, "--fail-on", fail_on, "--format", format_]
    made += [word for option, value in given.items() if value for word in (option, value)]
    made += [word for code in asked.select for word in ("--select", code)]
    made += [word for code in asked.ignore for word in ("--ignore", code)]
    if asked.live:
        made += ["--live", "--local"] if asked.live.is_local else ["--live"]
    return [*made, "-q"] if common.verbosity < 0 else made


def _say(judged: Judged, verbosity: int, format_: str) -> None:
    """The report in the form that was asked for."""
    report = from_here(judged.report)
    if format_ == "json":
        from keywright.api.fixing import described  # only documents have every fix

        design = judged.project.design if judged.project else None
        width = line_length(judged.project.settings.root) if judged.project else 0
        fixes = [described(one, width, relative_file) for one in judged.report.findings]
        say(findings.document([_illegal(error) for error in judged.errors], report, design, fixes), nl=False)
    elif format_ in DOCUMENTS:
        whole = from_here(Report(tuple(map(_finding, judged.errors)))) + report
        module = import_module(f"keywright.report.{format_}")
        say(module.document(whole), nl=False)
    else:
        verdict.tell(judged, verbosity, is_concise=format_ == "concise")


def _finding(error: DeclarationError) -> Finding:
    """What does not compile, as a finding."""
    rule = Rule(error.code, is_suppressible=False)
    return Finding(
        rule=rule, severity="error", message=error.problem, help=error.help, object=error.subject, at=error.at
    )  # fmt: skip


def _remember(judged: Judged, environment: str | None, begun: int) -> None:
    """Note what the answer was made from, where there is nothing to find."""
    project = judged.project
    if project is None or judged.errors or judged.elsewhere or judged.report.findings or judged.gone:
        return
    root = project.settings.root
    beside = [path for path in (root / FILE, root / FOLDER) if path.exists()]
    folders = [path for path in beside if path.is_dir()]
    read = [path for path in beside if path.is_file()] + [one for folder in folders for one in folder.glob("*.json")]
    name = f"check-{key(environment)}"
    remember.of_models(
        project.settings, project.files, name, begun, folders=folders, read=read, said=verdict.sound(judged),
        is_of_today=True,
    )  # fmt: skip


def _refuse_missing(paths: tuple[str, ...]) -> None:
    for path in paths:
        if not Path(path).exists():
            raise UsageError(f'there is no file or folder "{path}"', "name model files, or folders with some")


def _illegal(error: DeclarationError) -> findings.Illegal:
    return findings.Illegal(
        error.code, error.problem, error.help, error.subject, relative_file(error.at.file), error.at.line
    )
