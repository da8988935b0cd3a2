"""`keywright migrate test`: try transforms on the cases beside them."""

import click

from keywright.api.cases import Tried, try_cases
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import counted, say
from keywright.ir.json import Json
from keywright.project.migrations import read_folder
from keywright.project.settings import read_settings
from keywright.report.document import document

WRONG = 1


@click.command(cls=Command)
@click.argument("version", required=False, metavar="[VERSION]")
@formats("text", "json")
@click.pass_obj
def command(common: Common, version: str | None, format_: str) -> int:
    """Try transforms in memory on the cases of `test_*.py` beside them; all versions by default. Needs no server.

    A case is (item before, item after), or (item before, None) for one that goes to quarantine:

    \b
    # migrations/0007_readers_have_two_names/test_readers.py
    CASES = [({"full_name": "Ada Lovelace"}, {"first_name": "Ada", "last_name": "Lovelace"})]

    \b
    keywright migrate test 0007
    """
    found = try_cases(read_folder(read_settings(common.project)), version)
    wrong = [one for one in found if not one.is_right]
    if format_ == "json":
        say(document("migrate-test/1", {"cases": [_json(one) for one in found]}), nl=False)
    else:
        for one in wrong:
            say(f"{click.style('wrong', fg='red')} {one.version}/{one.file} case {one.number}")
            say(f"  expected {one.expected if one.expected is not None else 'quarantine'}")
            say(f"  found    {one.found if one.found is not None else f'quarantine: {one.reason}'}")
        say(f"{counted(len(found), 'case')}, {len(wrong)} wrong" if found else "there is no test_*.py in any version")
    return WRONG if wrong else 0


def _json(one: Tried) -> Json:
    return {
        "version": one.version,
        "file": one.file,
        "case": one.number,
        "right": one.is_right,
        "expected": None if one.expected is None else repr(dict(one.expected)),
        "found": None if one.found is None else repr(dict(one.found)),
        "reason": one.reason or None,
    }
