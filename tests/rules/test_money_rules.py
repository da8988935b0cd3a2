"""Rules about money, counting, copies and streams: cases beside those of their pages, and models without findings."""

from pathlib import Path

import pytest
from tests.projects import findings_of, with_imports

BANK = """
bank = kw.DynamoTable("bank")


class Account(BaseModel):
    __store__: ClassVar = kw.Item(bank, pk="ACCOUNT#{account_id}", sk="BALANCE", kind="KIND")

    account_id: Annotated[str, Field(max_length=20)]
    NUMBERS


class Entry(BaseModel):
    __store__: ClassVar = kw.Item(bank, pk="ACCOUNT#{account_id}", sk="ENTRY#{request_id}", kind="money")

    account_id: Annotated[str, Field(max_length=20), kw.Ref(Account, on_missing="fail")]
    request_id: Annotated[str, Field(max_length=20)]


entry = kw.Get(Entry, consistency="strong", rate="1/s")
account = kw.Get(Account, consistency="strong", rate="1/s")
"""


def bank(*patterns: str, kind: str = "money", numbers: str = "balance: int") -> str:
    """An account with entries, and patterns p0, p1, … on them."""
    lines = (f"p{at} = {pattern}\n" for at, pattern in enumerate(patterns))
    return BANK.replace("KIND", kind).replace("NUMBERS", numbers) + "".join(lines)


ADD = 'kw.Increment(Account, "balance", by=800, rate="1/s")'
TAKE = 'kw.Increment(Account, "balance", by=-800, where={"balance": kw.AtLeast(800)}, rate="1/s")'
PUT = 'kw.Put(Entry, if_absent=True, rate="1/s")'

RETRY = "without a condition or a record of the request, so that a retry after a time-out adds it twice"

TOLD = {
    "an increment of money that a retry repeats": (
        bank(ADD),
        [f'GEN024 p0: it adds 800 to "balance" {RETRY}'],
    ),
    "an increment of an order's paid amount": (
        bank('kw.Increment(Account, "paid", by=5, rate="1/s")', kind="record",
             numbers="paid: Annotated[Decimal, Field(max_digits=9, decimal_places=2)]"),
        [f'GEN024 p0: it adds 5 to "paid" {RETRY}'],
    ),
    "a transfer without a record of its request": (
        bank('kw.Transact([kw.Increment(Account, "balance", by=-5), kw.Increment(Account, "balance", by=5)],\n'
             '    rate="1/s")'),
        [f'GEN024 p0: it adds -5 to "balance" {RETRY}', f'GEN024 p0: it adds 5 to "balance" {RETRY}'],
    ),
    "an increment apart from its entry": (
        bank(TAKE, PUT),
        ['GEN016 p0: it changes "balance" apart from "p1", which stores the entry in "Entry": a failure between them '
         "leaves one without the other"],
    ),
    "the halves of a transfer": (
        bank(TAKE, ADD.replace("by=800,", 'by=800, where={"balance": kw.Below(9_000)},')),
        ['GEN016 p0: it takes 800, and "p1" adds as much at the same rate: a failure between them loses the amount'],
    ),
    "seats that are sold whatever is left": (
        bank('kw.Increment(Account, "seats_left", by=-2, rate="1/s")', kind="record", numbers="seats_left: int"),
        ['GEN025 p0: it takes 2 from "seats_left" whatever is left: concurrent callers reduce it below zero, and more '
         "is sold than exists"],
    ),
    "an eventual read before an increment": (
        bank(TAKE, 'kw.Get(Account, rate="1/s")'),
        ['GEN010 p1: it may read stale money, with consistency="eventual", before "p0" changes the same item'],
    ),
}  # fmt: skip

SILENT = {
    "an increment with its entry": bank(f"kw.Transact([{ADD}, {PUT}], rate='1/s')".replace(', rate="1/s"', "")),
    "an increment with a condition": bank(TAKE),
    "an increment of figures": bank(ADD, kind="analytics").replace(
        'account = kw.Get(Account, consistency="strong", ', "account = kw.Get(Account, "
    ),
    "an increment of a count": bank(
        'kw.Increment(Account, "visits", rate="1/s")', kind="record", numbers="visits: int"
    ),
    "a decrement of a number with a minimum": bank(
        ADD.replace("by=800", "by=-1"), kind="stock", numbers="balance: Annotated[int, Field(ge=0)]"
    ),
    "an eventual list of money": bank(PUT, 'kw.Read(Entry, eq="account_id", limit=9, rate="1/s")'),
    "an eventual read of what only conditions change": bank(
        'kw.Get(Account, rate="1/s")',
        'kw.Update(Account, sets="state", where={"state": "open"}, rate="1/s")',
        numbers='state: Literal["open", "paid"]',
    ),
}


def messages(folder: Path, source: str) -> list[str]:
    return sorted(
        f"{finding.code} {finding.object}: {finding.message}" for finding in findings_of(folder, with_imports(source))
    )


@pytest.mark.parametrize("title", TOLD)
def test_a_problem_is_reported(title: str, tmp_path: Path) -> None:
    source, expected = TOLD[title]
    assert messages(tmp_path, source) == expected


@pytest.mark.parametrize("title", SILENT)
def test_a_sound_model_has_no_findings(title: str, tmp_path: Path) -> None:
    assert messages(tmp_path, SILENT[title]) == []
