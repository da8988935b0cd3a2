"""`keywright guard`: check a Pulumi preview for changes that lose data."""

import sys
from pathlib import Path

import click

from keywright.api.pulumi.guard import PreviewFinding, described, evaluate
from keywright.errors import UsageError
from keywright.report.document import document

from ..options import Command, Common, formats
from ..output import counted, note, print_line

HAS_FINDINGS = 1


@click.command(cls=Command)
@click.argument("file", metavar="FILE")
@click.option("--allow", "allowed", multiple=True, metavar="CHANGE", help="Allow a change, such as +orders/by_day.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, file: str, allowed: tuple[str, ...], format_: str) -> int:
    """Check a preview of any Pulumi program: report resources with data that it replaces, deletes or unprotects, and
    changes of indexes that --allow does not name. Exits 1 if there are findings; FILE - is standard input.

    \b
    pulumi preview --json -s prod | keywright guard -
    keywright guard preview.json --allow +orders/by_day
    """
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f'cannot read "{file}": {reason}', "write it with `pulumi preview --json > FILE`") from None
    findings = evaluate(text, allowed or None)
    if format_ == "json":
        print_line(document("guard/1", {"dangers": described(findings)}), nl=False)
        return HAS_FINDINGS if findings else 0
    for preview_finding in findings:
        print_line(f"{click.style(f'error[{preview_finding.code}]', fg='red', bold=True)}: {preview_finding.problem}")
        note(f"  help: {preview_finding.help}")
    if common.verbosity >= 0:
        print_line(_summary(findings))
    return HAS_FINDINGS if findings else 0


def _summary(findings: list[PreviewFinding]) -> str:
    if not findings:
        return "no findings"
    return f"{counted(len(findings), 'finding')}; `keywright explain {findings[0].code}` explains the first"
