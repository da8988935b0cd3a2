"""`keywright pr`: summarise a branch's changes for reviewers."""

import sys
from datetime import date
from pathlib import Path

import click

from keywright.api.review.compare import review
from keywright.api.review.preview_findings import violations
from keywright.errors import UsageError
from keywright.project.settings import read_settings
from keywright.report.review import document

from ..options import Command, Common, formats
from ..output import print_line

HAS_ERRORS, DOES_NOT_COMPILE = 1, 2


@click.command(cls=Command)
@click.option("--base", "reference", required=True, metavar="REF", help="Branch, tag or commit to compare with.")
@click.option("--preview", metavar="FILE", help="File of a streaming Pulumi preview, to include its policy findings.")
@click.option("--links", "target", default="", metavar="URL", help="Prefix of links to files.")
@formats("markdown", "json")
@click.pass_obj
def command(common: Common, reference: str, preview: str | None, target: str, format_: str) -> int:
    """Summarise a branch's changes for reviewers: stores, access patterns, migrations, new and fixed findings.

    Compares the models in the work tree with those of the merge base with REF, which run in a separate process. Exits 1
    if the branch adds an error, 2 if its models do not compile; it prints the document in both cases.

    \b
    keywright pr --base origin/main > review.md
    keywright --env prod pr --base origin/main --format json
    PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json | keywright pr --base main --preview -
    """
    settings = read_settings(common.project)
    policy_findings = None if preview is None else violations(_read(preview))
    environment = common.env or settings.default_environment
    result = review(settings, reference, environment, date.today(), policy_findings)
    if format_ == "json":
        print_line(document(result), nl=False)
    else:
        from keywright.report.review_markdown import markdown

        print_line(markdown(result, target), nl=False)
    if not result.is_compiled:
        return DOES_NOT_COMPILE
    return HAS_ERRORS if result.has_errors else 0


def _read(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        help = "write it with `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json > FILE`"
        raise UsageError(f'cannot read "{file}": {reason}', help) from None
