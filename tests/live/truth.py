"""What pages say of servers, shown on a real one: each answer is a golden, and docs/rules/evidence.md lists them all.

A module `test_truth_<engine>` holds an engine's claims, made by its `Truths`: each is a function that does the naive
thing to a server and returns what came of it, in words that do not change from run to run.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from keywright.record import Record

GOLDEN = Path(__file__).parents[1] / "golden" / "truth"
"""A file for each engine: answers by code and claim, with the server that gave them."""

Show: TypeAlias = Callable[[Any], str]
"""Does something to a server of the module's kind, and tells what came of it."""


class Claim(Record):
    """One thing that a server does."""

    code: str
    """The code whose page rests on it."""
    text: str
    """What the server does, in one sentence without a full stop."""
    show: Show | None
    """What shows it; None where no local server does."""
    why: str = ""
    """Why none does."""

    def __str__(self) -> str:
        return f"{self.code} {self.text}"


class Truths:
    """An engine's claims, in the order in which they are made."""

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.claims: list[Claim] = []

    def __call__(self, code: str, text: str) -> Callable[[Show], Show]:
        """Makes a claim of a function that shows it."""

        def made(show: Show) -> Show:
            self.claims.append(Claim(code, text, show))
            return show

        return made

    def beyond(self, code: str, text: str, why: str) -> None:
        """Makes a claim that no local server shows."""
        self.claims.append(Claim(code, text, None, why))

    @property
    def shown(self) -> list[Claim]:
        """Those that a local server shows."""
        return [claim for claim in self.claims if claim.show is not None]

    @property
    def file(self) -> Path:
        """The golden answers."""
        return GOLDEN / f"{self.engine}.json"

    def answers(self) -> dict[str, dict[str, str]]:
        """The golden answers, by claim: `answer`, and the `server` that gave it."""
        document: dict[str, dict[str, str]] = json.loads(self.file.read_text("utf-8")) if self.file.is_file() else {}
        return document

    def keep(self, claim: Claim, answer: str, server: str) -> None:
        """Makes an answer the golden one; those of claims that nobody makes any more go."""
        result = {**self.answers(), str(claim): {"answer": answer, "server": server}}
        strs = {str(entry) for entry in self.shown}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        kept = {key: value for key, value in sorted(result.items()) if key in strs}
        self.file.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """(code, claim, answer, server) of the table, by code."""
        answers = self.answers()
        for claim in sorted(self.claims, key=lambda entry: entry.code):
            answer = answers.get(str(claim), {"answer": claim.why, "server": "none"})
            yield claim.code, claim.text, answer["answer"], answer["server"]


@pytest.fixture
def is_true(request: pytest.FixtureRequest) -> Callable[[Truths, Claim, Any, str], bool]:
    """Whether a server still does what a claim says, as it did when its answer was kept.

    `is_true(truths, claim, told, server)`: told is what the claim is shown on, and server its name and version;
    `pytest --update-goldens` keeps the answer instead.
    """

    def compare(truths: Truths, claim: Claim, told: Any, server: str) -> bool:
        assert claim.show is not None
        answer = claim.show(told)
        if request.config.getoption("--update-goldens"):
            truths.keep(claim, answer, server)
        return truths.answers().get(str(claim), {}).get("answer") == answer

    return compare
