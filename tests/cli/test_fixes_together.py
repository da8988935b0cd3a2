"""`check --fix` with several fixes of one list: the redundant indexes go, whichever are chosen, in any order."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.projects import SOUND, a_project, findings_of

from keywright.api.check.fix import fix_all
from keywright.api.check.recheck import Fixable, Rechecked
from keywright.rules.rule import Finding

from .conftest import Keywright

HEAD = """\
from typing import ClassVar

from pydantic import BaseModel

import keywright as kw

bank = kw.MongoDatabase("bank")


class Statement(BaseModel):
    __store__: ClassVar = kw.Collection(
        bank,
        "statements",
        id="{statement_id}",
"""

REST = """\
    )

    statement_id: str
    iban: str
    month: str
    state: str


put = kw.Put(Statement, rate="1/s", p99_ms=50)
"""

READ = '{name} = kw.Read(Statement, eq={keys}, limit=10, rate="1/s", p99_ms=50)\n'

TRIALS = {
    "three": [["iban"], ["iban", "month"], ["iban", "month", "state"]],
    "pairs": [["iban"], ["iban", "month"], ["state"], ["state", "month"], ["month"], ["month", "state"]],
}
"""Lists of indexes, most of which another one begins with."""

FIELDS = ("iban", "month", "state")


def models(indexes: list[list[str]], reads: list[list[str]], *, in_one_line: bool) -> str:
    """A model file with these indexes, and a read of each of these lists of fields."""
    calls = [f"kw.Index({keys!r})" for keys in indexes]
    listed = (
        ", ".join(calls) if in_one_line else "\n" + "".join(f"            {call},\n" for call in calls) + "        "
    )
    formats = (READ.format(name=f"of_{at}", keys=keys) for at, keys in enumerate(reads))
    return f"{HEAD}        indexes=[{listed}],\n{REST}{''.join(formats)}"


def found(folder: Path, text: str) -> tuple[Finding, ...]:
    return findings_of(folder, {"models/bank.py": text})


@pytest.mark.parametrize("in_one_line", [False, True])
@pytest.mark.parametrize("name", TRIALS)
def test_the_redundant_indexes_go_and_what_patterns_need_stays(
    name: str, in_one_line: bool, tmp_path: Path, keywright: Keywright, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = TRIALS[name][2::3] if name == "three" else TRIALS[name][1::2]
    reads = longest if name == "three" else [keys[:1] for keys in longest]
    text = models(TRIALS[name], reads, in_one_line=in_one_line)
    a_project(tmp_path, {"models/bank.py": text, "stacks/Pulumi.dev.yaml": SOUND})
    monkeypatch.chdir(tmp_path)
    gone = len(TRIALS[name]) - len(longest)
    said = keywright("check", "--fix")
    assert said.err.startswith(f"{gone} findings were fixed in 1 file\n")
    assert said.code == 0
    assert said.out.startswith("no errors")
    after = (tmp_path / "models" / "bank.py").read_text()
    assert [keys for keys in TRIALS[name] if f"kw.Index({keys!r})" in after] == longest


keys = st.permutations(FIELDS).flatmap(lambda fields: st.integers(1, 3).map(lambda count: list(fields)[:count]))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_subset_of_the_fixes_in_any_order_adds_no_finding(tmp_path: Path, data: st.DataObject) -> None:
    indexes = data.draw(st.lists(keys, min_size=2, max_size=5, unique_by=tuple))
    reads = data.draw(st.lists(keys, max_size=3))
    text = models(indexes, reads, in_one_line=data.draw(st.booleans()))
    before = found(tmp_path, text)
    fixable = [finding for finding in before if finding.fix and finding.fix.is_safe and finding.location]
    chosen = data.draw(st.permutations(fixable))[: data.draw(st.integers(0, len(fixable)))]

    def recheck(texts: Mapping[str, str]) -> Rechecked:
        findings = found(tmp_path, texts.get(str(tmp_path / "models" / "bank.py"), text))
        return Rechecked(
            tuple(Fixable(finding.fingerprint, finding.fix, finding.location) for finding in findings), frozenset()
        )

    healing = fix_all(chosen, 88, recheck, is_unsafe=False)
    done = [finding for file in healing for finding in file.findings]
    after = healing[0].after if healing else text
    now = Counter((finding.code, finding.object) for finding in found(tmp_path, after))
    gone = Counter((finding.code, finding.object) for finding in done)
    assert not now - (Counter((finding.code, finding.object) for finding in before) - gone)
    assert all(f"kw.Index({keys!r})" in after for keys in indexes if not _is_redundant(keys, done))


def _is_redundant(keys: list[str], chosen: list[Finding]) -> bool:
    return any(finding.object == "Statement." + "_".join(f"{key}_1" for key in keys) for finding in chosen)


UNDOING = """\
from typing import ClassVar

from pydantic import BaseModel, Field

import keywright as kw

by_place = kw.Gsi("by_place", pk="GSI1PK", sk="GSI1SK")
stock = kw.DynamoTable("stock", gsis=[by_place])


class Part(BaseModel):
    __store__: ClassVar = kw.Item(
        stock, pk="PART#{part_id}", sk="PART", kind="stock", gsis=[by_place.key(pk="PLACE#{place}", sk="{part_id}")]
    )

    part_id: str = Field(min_length=1, max_length=20)
    place: str = Field(min_length=1, max_length=20)
    rows: int


recount = kw.Update(Part, sets="rows", rate="1/s", p99_ms=50)
put = kw.Put(Part, rate="1/s", p99_ms=50)
at_place = kw.Get(Part, eq="place", rate="1/s", p99_ms=50)
"""
"""A read of stock by a global index: to say that it is strong would leave it unserved."""


def test_two_rules_do_not_undo_each_other(
    tmp_path: Path, keywright: Keywright, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_project(tmp_path, {"models/stock.py": UNDOING, "stacks/Pulumi.dev.yaml": SOUND})
    monkeypatch.chdir(tmp_path)
    assert "GEN010" in keywright("check").out
    assert keywright("check", "--diff", "--unsafe-fixes").out == ""
    strong = UNDOING.replace('eq="place"', 'eq="place", consistency="strong"')
    (tmp_path / "models" / "stock.py").write_text(strong)
    assert "DDB017" in keywright("check").out
    said = keywright("check", "--fix", "--unsafe-fixes")
    assert (tmp_path / "models" / "stock.py").read_text() == strong
    assert "the fix would add a finding" in said.err
