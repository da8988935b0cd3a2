"""`keywright migrate test`: try transforms on the cases beside them."""

import time
from collections.abc import Sequence

import click

from keywright.api.cases import Case, Tried, read_cases, try_cases
from keywright.api.cases_live import try_live
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import counted, say
from keywright.ir.json import Json
from keywright.project.migrations import read_folder
from keywright.project.settings import read_settings
from keywright.report.document import document

from .where import on_own_servers, starting, watcher

WRONG = 1


@click.command(cls=Command)
@click.argument("version", required=False, metavar="[VERSION]")
@click.option("--live", "is_live", is_flag=True, help="Then also on real servers of their own: stored, migrated, read.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, version: str | None, is_live: bool, format_: str) -> int:
    """Try transforms in memory on the cases of `test_*.py` beside them; all versions by default. Needs no server.

    A case is (item before, item after), or (item before, None) for one that goes to quarantine:

    \b
    # migrations/0007_readers_have_two_names/test_readers.py
    CASES = [({"full_name": "Ada Lovelace"}, {"first_name": "Ada", "last_name": "Lovelace"})]

    With --live, each item needs its key, such as "_id", and goes through the whole version on a real server, where
    validators, indexes and types have their say.

    \b
    keywright migrate test 0007
    keywright migrate test 0007 --live
    """
    cases = read_cases(read_folder(read_settings(common.project)), version)
    found = try_cases(cases)
    if format_ == "text":
        _say(found, "")
    if is_live:
        live = _live(common, cases, format_)
        found = [*found, *live]
    if format_ == "json":
        say(document("migrate-test/1", {"cases": [_json(one) for one in found]}), nl=False)
    return 0 if all(one.is_right for one in found) else WRONG


def _live(common: Common, cases: Sequence[Case], format_: str) -> list[Tried]:
    started = time.monotonic()
    found = try_live(on_own_servers(common), cases, tell=starting, watcher=watcher(common))
    if format_ == "text" and found:
        _say(found, f" on real servers ({time.monotonic() - started:.1f} s)")
    return found


def _say(found: Sequence[Tried], where: str) -> None:
    if not found:
        say("there is no test_*.py in any version")
        return
    wrong = [one for one in found if not one.is_right]
    for one in wrong:
        say(f"{click.style('wrong', fg='red')} {one.case}{' (live)' if one.is_live else ''}")
        say(f"  expected {one.expected if one.expected is not None else 'quarantine'}")
        say(f"  found    {_found(one)}")
    say(f"{counted(len(found), 'case')}, {len(wrong)} wrong{where}")


def _found(one: Tried) -> str:
    if one.found is None:
        return f"quarantine: {one.reason}"
    return f"{one.found}{f' ({one.reason})' if one.reason else ''}"


def _json(one: Tried) -> Json:
    told: dict[str, Json] = {
        "version": one.case.version.folder,
        "file": one.case.file.name,
        "case": one.case.number,
        "right": one.is_right,
        "expected": None if one.expected is None else repr(dict(one.expected)),
        "found": None if one.found is None else repr(dict(one.found)),
        "reason": one.reason or None,
    }
    return told | ({"live": True} if one.is_live else {})
