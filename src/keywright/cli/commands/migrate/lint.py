"""`keywright migrate lint`: report production risks of migrations, offline."""

from datetime import date
from itertools import groupby
from time import time_ns

import click

from keywright.api.author.lint import Destroyed, LintReport, lint
from keywright.cli.fast_path import NO_FINDINGS, key
from keywright.cli.findings import lines, place, with_relative_files
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import counted, note, print_line
from keywright.cli.values import Choice, WholeNumber
from keywright.project import fast_path
from keywright.project.settings import read_settings
from keywright.record import replace
from keywright.rules.rule import Report

HAS_FINDINGS = 1


@click.command("lint", cls=Command)
@click.option("--git-base", metavar="REF", help="Check only migrations that REF lacks; they must follow those of REF.")
@click.option("--latest", type=WholeNumber(min=1), metavar="N", help="Check only the last N migrations.")
@click.option("--fail-on", type=Choice(("error", "warning")), default="error", show_default=True,
              help="Lowest severity for which the command exits 1.")  # fmt: skip
@formats("text", "json", "sarif", "github", "markdown")
@click.pass_obj
def command(common: Common, git_base: str | None, latest: int | None, fail_on: str, format_: str) -> int:
    """Report production risks of migrations: lost data, failing steps, broken readers, unserved patterns.

    Reads only the migrations: no models, no network, no server. Suppress a finding under `ignore:` in its
    migration.yaml, with a reason.

    \b
    keywright migrate lint --latest 1
    keywright migrate lint --git-base origin/main --format sarif > lint.sarif
    keywright explain DS103
    """
    started, settings = time_ns(), read_settings(common.project)
    linted = lint(settings, date.today(), base=git_base, latest=latest)
    if not (linted.report.findings or linted.report.accepted or linted.destroyed or git_base or latest):
        fast_path.of_migrations(settings, f"lint-{key(common.env)}", started)
    report = with_relative_files(linted.report)
    if format_ == "text":
        _print_findings(report, linted.destroyed, quiet=common.verbosity < 0)
    else:
        print_line(_formatted(format_, replace(linted, report=report)), nl=False)
    counts = report.count("error") + (report.count("warning") if fail_on == "warning" else 0)
    return HAS_FINDINGS if counts else 0


def _formatted(name: str, linted: LintReport) -> str:
    """The report in a format for programs; imports only the module of the format."""
    if name == "sarif":
        from keywright.report import sarif

        return sarif.document(linted.report)
    if name == "github":
        from keywright.report import github

        return github.document(linted.report)
    from keywright.report import lint as formats_of_lint

    rows = tuple(
        (destroyed.version, destroyed.store, destroyed.object, destroyed.what, destroyed.why)
        for destroyed in linted.destroyed
    )
    render = formats_of_lint.markdown if name == "markdown" else formats_of_lint.document
    return render(linted.migrations, linted.report, rows)


def _print_findings(report: Report, destroyed: tuple[Destroyed, ...], *, quiet: bool) -> None:
    for finding in report.findings:
        for line in lines(finding):
            print_line(line)
    for suppressed in () if quiet else report.accepted:
        until = f" (until {suppressed.until})" if suppressed.until else ""
        print_line(f"{place(suppressed.finding)}: suppressed {suppressed.finding.code}{until}: {suppressed.reason}")
    for migration, group in groupby(destroyed, key=lambda entry: entry.version):
        print_line(f"{click.style(migration, bold=True)} drops or rebuilds:")
        for entry in group:
            print_line(f"  {entry.store}: {entry.what}: {entry.why}")
    errors, warnings = report.count("error"), report.count("warning")
    if report.findings:
        first = report.findings[0].code
        counts = ", ".join(
            counted(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number
        )
        note(f"\n{counts}; `keywright explain {first}` explains the first")
    elif not quiet:
        print_line("no findings besides the dropped or rebuilt objects" if destroyed else NO_FINDINGS)
