"""Text output of `keywright check`."""

from collections.abc import Sequence

from keywright.api.check.check import CheckReport
from keywright.errors import DeclarationError
from keywright.ir.text import figure
from keywright.pages.catalogue import page, section
from keywright.rules.rule import SEVERITIES, Report

from .findings import lines
from .output import counted, error_lines, note, print_line, relative, shortened, wrapped

GLANCE = 8
"""Number of findings up to which the order of places is enough."""

MOST_IMPORTANT = 5
"""Number of findings that the end of a longer report repeats."""


ASKING = "Questions: answer each by a declaration, or by kw.ignore(..., reason=...)"
"""The line above the questions."""


def print_summary(check: CheckReport, verbosity: int, *, is_concise: bool, explains: bool = False) -> None:
    """Print all compile errors or findings, and their counts.

    is_concise: whether to print one line per finding. explains: whether the first of each code is followed by the
    reason on its page.
    """
    explained: set[str] = set()
    if check.errors or check.elsewhere:
        for error in check.errors:
            for line in [f"{relative(error.at)}: {error.code} {error.problem}"] if is_concise else error_lines(error):
                print_line(line)
            if explains:
                _explain(error.code, explained)
        _print_error_counts(check.errors, check.elsewhere)
        return
    for finding in check.report.findings:
        if not is_concise and verbosity >= 0 and finding in check.report.questions[:1]:
            note(f"\n{ASKING}\n")
        concise = f"{relative(finding.at)}: {finding.code} {finding.object}: {finding.message}"
        for line in [concise] if is_concise else lines(finding, has_excerpt=True):
            print_line(line)
        if explains:
            _explain(finding.code, explained)
    if verbosity >= 0:
        _print_counts(check)


def _explain(code: str, explained: set[str]) -> None:
    """Print why the page of a code calls it bad, if it is not among the explained codes."""
    if code not in explained:
        explained.add(code)
        for line in wrapped(f"  why: {' '.join(section(page(code).text, 'Why it is bad').split())}", indent="       "):
            print_line(line)


def success_text(check: CheckReport) -> str:
    """Text of a check without findings."""
    return "\n".join([f"no errors in {_scope(check)}{_suppressed(check)}", *_missing(check)])


def _print_counts(check: CheckReport) -> None:
    report = check.report
    if not report.findings:
        print_line(success_text(check))
    else:
        counts = ", ".join(
            counted(report.count(severity), severity) for severity in SEVERITIES if report.count(severity)
        )
        help = f"`keywright explain {report.findings[0].code}` explains the first"
        _print_most_important(report)
        note(f"\n{counts} in {_scope(check)}{_suppressed(check)}; {help}")
        if fixable := sum(finding.fix is not None for finding in report.findings):
            note(
                f"{counted(fixable, 'finding')} can be fixed: `keywright check --diff --unsafe-fixes` shows the changes"
            )
        for line in _missing(check):
            note(line)
    if check.gone:
        verb, pronoun = ("does", "it") if check.gone == 1 else ("do", "them")
        obsolete = f"{counted(check.gone, 'finding')} of baseline.json {verb} not occur any more"
        note(f"{obsolete}; --update-baseline removes {pronoun}")


def _missing(check: CheckReport) -> list[str]:
    """A line for each fact whose absence kept rules from judging."""
    return [
        f"{counted(len(fact.codes), 'rule')} did not judge {counted(len(fact.names), fact.noun, fact.nouns)} without "
        f"{fact.option}=, such as {fact.names[0]}"
        for fact in check.missing
    ]


def _print_most_important(report: Report) -> None:
    """The findings to begin with; nothing for a report that is read at a glance."""
    if len(report.assertions) <= GLANCE:
        return
    note(f"\nbegin with these {counted(MOST_IMPORTANT, 'finding')}: severe ones first, then by calls per second")
    for finding in report.most_important(MOST_IMPORTANT):
        calls = "" if finding.calls_per_second is None else f" at {figure(finding.calls_per_second)}/s"
        note(shortened(f"  {finding.code} {relative(finding.at)} {finding.object}{calls}: {finding.message}"))


def _scope(check: CheckReport) -> str:
    assert check.project is not None
    design = check.project.design
    entities = counted(len(design.entities), "entity", "entities")
    return f"{entities} and {counted(len(design.patterns), 'access pattern')}"


def _suppressed(check: CheckReport) -> str:
    """Counts of the findings that do not count, with the reasons."""
    suppressed = len(check.report.accepted) - check.in_baseline
    counts = ((suppressed, "suppressed"), (check.in_baseline, "in baseline.json"), (check.in_base, "in the merge base"))
    parts = [f"{counted(count, 'finding')} {reason}" for count, reason in counts if count > 0]
    return f", {', '.join(parts)}" if parts else ""


def _print_error_counts(errors: Sequence[DeclarationError], elsewhere: int) -> None:
    if elsewhere:
        others = f"{counted(elsewhere, 'error')} elsewhere in the project; `keywright check` shows all"
        note(f"{counted(len(errors), 'error')} here, {others}" if errors else f"no errors here, {others}")
    else:
        note(f"\n{counted(len(errors), 'error')}; `keywright explain {errors[0].code}` explains the first")
