"""`keywright pr`: everything that a reviewer needs to know of a branch, in one document."""

import sys
from datetime import date
from pathlib import Path

import click

from keywright.api.review import review
from keywright.api.violations import violations
from keywright.errors import UsageError
from keywright.project.settings import read_settings
from keywright.report.review import document

from .options import Command, Common, formats
from .say import say

OBJECTED, ILLEGAL = 1, 2


@click.command(cls=Command)
@click.option("--base", "reference", required=True, metavar="REF", help="The branch, tag or commit that it goes to.")
@click.option("--preview", metavar="FILE", help="A streaming preview of Pulumi, whose policy findings belong to it.")
@click.option("--links", "target", default="", metavar="URL", help="What links to files begin with, up to their path.")
@formats("markdown", "json")
@click.pass_obj
def command(common: Common, reference: str, preview: str | None, target: str, format_: str) -> int:
    """Tell what a branch does: changes in the stores, access patterns, versions, findings that it adds and heals.

    The models in the work tree are compared with those where it left REF, which are read from the repository and run
    by a process of their own. Exits 1 if the branch adds an error, 2 if its models do not compile; the document is
    written all the same.

    \b
    keywright pr --base origin/main > review.md
    keywright --env prod pr --base origin/main --format json
    PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json | keywright pr --base main --preview -
    """
    settings = read_settings(common.project)
    objected = None if preview is None else violations(_read(preview))
    found = review(settings, reference, common.env or settings.default_environment, date.today(), objected)
    if format_ == "json":
        say(document(found), nl=False)
    else:
        from keywright.report.review_markdown import markdown

        say(markdown(found, target), nl=False)
    if not found.is_compiled:
        return ILLEGAL
    return OBJECTED if found.is_objectionable else 0


def _read(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        help = "write it with `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json > FILE`"
        raise UsageError(f'cannot read "{file}": {reason}', help) from None
