"""What `keywright check` came to, in words."""

from collections.abc import Sequence

from keywright.errors import DeclarationError
from keywright.rules.rule import Severity

from .findings import lines
from .judging import Judged
from .say import counted, error_lines, note, relative, say

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""The worst first."""


def tell(judged: Judged, verbosity: int, *, is_concise: bool) -> None:
    """Say everything, and how much it is.

    is_concise: whether a finding is one line.
    """
    if judged.errors or judged.elsewhere:
        for error in judged.errors:
            for line in [f"{relative(error.at)}: {error.code} {error.problem}"] if is_concise else error_lines(error):
                say(line)
        _count(judged.errors, judged.elsewhere)
        return
    for one in judged.report.findings:
        concise = f"{relative(one.at)}: {one.code} {one.object}: {one.message}"
        for line in [concise] if is_concise else lines(one, is_shown=True):
            say(line)
    if verbosity >= 0:
        _sum(judged)


def sound(judged: Judged) -> str:
    """What is said where nothing is found."""
    return f"no errors in {_whole(judged)}{_aside(judged)}"


def _sum(judged: Judged) -> None:
    report = judged.report
    if not report.findings:
        say(sound(judged))
    else:
        counts = ", ".join(counted(report.count(one), one) for one in SEVERITIES if report.count(one))
        more = f"`keywright explain {report.findings[0].code}` tells more about the first"
        note(f"\n{counts} in {_whole(judged)}{_aside(judged)}; {more}")
        if fixable := sum(one.fix is not None for one in report.findings):
            note(f"{counted(fixable, 'finding')} can be fixed: `keywright check --diff --unsafe-fixes` shows how")
    if judged.gone:
        verb, them = ("is", "it") if judged.gone == 1 else ("are", "them")
        gone = f"{counted(judged.gone, 'finding')} of baseline.json {verb} gone"
        note(f"{gone}; --update-baseline takes {them} out")


def _whole(judged: Judged) -> str:
    assert judged.project is not None
    design = judged.project.design
    entities = counted(len(design.entities), "entity", "entities")
    return f"{entities} and {counted(len(design.patterns), 'access pattern')}"


def _aside(judged: Judged) -> str:
    """What does not count, and why."""
    accepted = len(judged.report.accepted) - judged.in_baseline
    counts = ((accepted, "accepted"), (judged.in_baseline, "in baseline.json"), (judged.in_base, "there before"))
    told = [f"{counted(count, 'finding')} {why}" for count, why in counts if count > 0]
    return f", {', '.join(told)}" if told else ""


def _count(shown: Sequence[DeclarationError], elsewhere: int) -> None:
    if elsewhere:
        others = f"{counted(elsewhere, 'error')} elsewhere in the project; `keywright check` shows all"
        note(f"{counted(len(shown), 'error')} here, {others}" if shown else f"no errors here, {others}")
    else:
        note(f"\n{counted(len(shown), 'error')}; `keywright explain {shown[0].code}` tells more about the first")
