"""`keywright migrate test`: test transforms with their cases."""

import time
from collections.abc import Sequence

import click

from keywright.api.author.cases import Case, CaseResult, read_cases, try_cases
from keywright.api.migrate.live_cases import try_live
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import counted, print_line
from keywright.errors import quoted
from keywright.ir.json import Json
from keywright.project.migrations.folder import read_folder
from keywright.project.settings import read_settings
from keywright.report.document import document

from ...store_options import on_separate_servers, print_server_event, watcher

FAILED = 1


@click.command(cls=Command)
@click.argument("migration", required=False, metavar="[MIGRATION]")
@click.option("--live", "is_live", is_flag=True, help="Also run the cases on separate real servers.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, migration: str | None, is_live: bool, format_: str) -> int:
    """Run the cases of `test_*.py` through the transforms of a migration, by default of all migrations; needs no
    server.

    A case is (item before, item after), or (item before, None) for one that goes to quarantine:

    \b
    # migrations/0007_readers_have_two_names/test_readers.py
    CASES = [({"full_name": "Ada Lovelace"}, {"first_name": "Ada", "last_name": "Lovelace"})]

    With --live, each case also runs through the complete migration on a real server, with its validators, indexes and
    types; its item needs its key, such as "_id".

    \b
    keywright migrate test 0007
    keywright migrate test 0007 --live
    """
    cases = read_cases(read_folder(read_settings(common.project)), migration)
    results = try_cases(cases)
    if format_ == "text":
        _print_results(results, "")
    if is_live:
        live = _live(common, cases, format_)
        results = [*results, *live]
    if format_ == "json":
        print_line(document("migrate-test/2", {"cases": [_json(result) for result in results]}), nl=False)
    return 0 if all(result.is_right for result in results) else FAILED


def _live(common: Common, cases: Sequence[Case], format_: str) -> list[CaseResult]:
    started = time.monotonic()
    results = try_live(on_separate_servers(common), cases, tell=print_server_event, watcher=watcher(common))
    if format_ == "text" and results:
        _print_results(results, f" on real servers ({time.monotonic() - started:.1f} s)")
    return results


def _print_results(results: Sequence[CaseResult], where: str) -> None:
    if not results:
        print_line("no migration has a test_*.py")
        return
    failed = [result for result in results if not result.is_right]
    for case_result in failed:
        print_line(f"{click.style('failed', fg='red')} {case_result.case}{' (live)' if case_result.is_live else ''}")
        print_line(f"  expected {case_result.expected if case_result.expected is not None else 'quarantine'}")
        print_line(f"  actual   {_actual(case_result)}")
    print_line(f"{counted(len(results), 'case')}, {len(failed)} failed{where}")
    for name in dict.fromkeys(result.case.migration.folder for result in results if result.again):
        again = sorted({field for result in results if result.case.migration.folder == name for field in result.again})
        print_line(f"{name}: a second run would change {quoted(again)}; the transform runs once for each item")


def _actual(result: CaseResult) -> str:
    if result.after is None:
        return f"quarantine: {result.reason}"
    return f"{result.after}{f' ({result.reason})' if result.reason else ''}"


def _json(result: CaseResult) -> Json:
    row: dict[str, Json] = {
        "migration": result.case.migration.folder,
        "file": result.case.file.name,
        "case": result.case.number,
        "right": result.is_right,
        "expected": None if result.expected is None else repr(dict(result.expected)),
        "found": None if result.after is None else repr(dict(result.after)),
        "reason": result.reason or None,
        "again": list(result.again),
    }
    return row | ({"live": True} if result.is_live else {})
