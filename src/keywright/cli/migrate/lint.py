"""`keywright migrate lint`: what would go wrong with the versions, told offline."""

from datetime import date
from time import time_ns

import click

from keywright.api.lint import lint
from keywright.cli.findings import from_here, lines, place
from keywright.cli.fresh import UNOBJECTED, key
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import counted, note, say
from keywright.cli.values import OneOf, Whole
from keywright.project import remember
from keywright.project.settings import read_settings
from keywright.rules.rule import Report

FOUND = 1


@click.command("lint", cls=Command)
@click.option(
    "--git-base", metavar="REF", help="Only versions that this branch or commit lacks; they must come after its own."
)
@click.option("--latest", type=Whole(min=1), metavar="N", help="Only so many of the last versions.")
@click.option("--fail-on", type=OneOf(("error", "warning")), default="error", show_default=True,
              help="From which severity on the command exits 1.")  # fmt: skip
@formats("text", "json", "sarif", "github", "markdown")
@click.pass_obj
def command(common: Common, git_base: str | None, latest: int | None, fail_on: str, format_: str) -> int:
    """Judge versions by what goes wrong in production: lost data, failing steps, broken readers, unserved patterns.

    Reads the folders of versions alone: no models, no network, no server. What is right all the same is accepted under
    `ignore:` of its migration.yaml, with a reason.

    \b
    keywright migrate lint --latest 1
    keywright migrate lint --git-base origin/main --format sarif > lint.sarif
    keywright explain DS103
    """
    begun, settings = time_ns(), read_settings(common.project)
    linted = lint(settings, date.today(), base=git_base, latest=latest)
    if not (linted.report.findings or linted.report.accepted or git_base or latest):
        remember.of_versions(settings, f"lint-{key(common.env)}", begun)
    report = from_here(linted.report)
    if format_ == "text":
        _say(report, quiet=common.verbosity < 0)
    else:
        say(_form(format_, linted.versions, report), nl=False)
    counts = report.count("error") + (report.count("warning") if fail_on == "warning" else 0)
    return FOUND if counts else 0


def _form(name: str, versions: tuple[str, ...], report: Report) -> str:
    """The report as programs read it; each form is imported when it is wanted."""
    if name == "sarif":
        from keywright.report import sarif

        return sarif.document(report)
    if name == "github":
        from keywright.report import github

        return github.document(report)
    from keywright.report import lint as forms

    return forms.markdown(versions, report) if name == "markdown" else forms.document(versions, report)


def _say(report: Report, *, quiet: bool) -> None:
    for one in report.findings:
        for line in lines(one):
            say(line)
    for each in () if quiet else report.accepted:
        until = f" (until {each.until})" if each.until else ""
        say(f"{place(each.finding)}: accepted {each.finding.code}{until}: {each.reason}")
    errors, warnings = report.count("error"), report.count("warning")
    if report.findings:
        first = report.findings[0].code
        counts = ", ".join(
            counted(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number
        )
        note(f"\n{counts}; `keywright explain {first}` tells more about the first")
    elif not quiet:
        say(UNOBJECTED)
