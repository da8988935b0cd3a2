"""The tables of a review in Markdown: one function for each, which makes its rows."""

from collections.abc import Iterator
from dataclasses import dataclass

from keywright.access.cost import Band
from keywright.rules.rule import Finding

from .gfm import code, link, row, text
from .matrix import band_text
from .review import BECAME, Pattern, Review, Row


@dataclass(frozen=True, slots=True)
class Table:
    """A part of the document."""

    title: str
    """Its heading."""
    headings: tuple[str, ...]
    """The headings of its columns."""
    rows: tuple[str, ...]
    """Its rows, the most important first."""


@dataclass(frozen=True, slots=True)
class Links:
    """Where places in files lead."""

    target: str = ""
    """What links begin with; by default they are relative to the repository."""

    def to(self, file: str, line: int, name: str = "") -> str:
        """A place as a link; empty where something stands in no file.

        name: what is shown in place of the path, which may be long.
        """
        return link(file, line, self.target, name) if file else ""

    def in_version(self, one: Finding) -> str:
        """The place of what is said of a version."""
        return self.to(one.at.file, one.at.line, f"{one.version}:{one.at.line}" if one.version else "")

    def of(self, one: Row) -> str:
        """The place of a finding or pattern of a document."""
        return self.to(one["at"]["file"], one["at"]["line"])


FOUND = ("severity", "code", "where", "what, and what to do")
POLICED = ("level", "policy", "resource", "what, and what to do")


def tables(review: Review, links: Links) -> tuple[Table, ...]:
    """All tables, in the order in which they are read; those without rows too."""
    return (
        Table("Findings that the branch adds", FOUND, tuple(_found(one, links.of(one)) for one in review.added)),
        Table("Access patterns", ("pattern", "what", "before", "now"), tuple(_patterns(review, links))),
        Table("What changes in the stores", ("class", "store", "change", "what it does"), tuple(_changes(review))),
        Table("New versions", ("version", "classes", "steps", "waits for"), tuple(_versions(review, links))),
        Table("What is to be said of the versions", FOUND, tuple(_lint(review, links))),
        Table("What the preview would do", POLICED, tuple(_violations(review))),
        Table("Accepted for a reason", ("code", "where", "what", "reason"), tuple(_accepted(review, links))),
        Table("Findings that the branch heals", ("severity", "code", "where", "what it was"), tuple(_healed(review))),
    )


def _found(one: Row, where: str) -> str:
    subject = code(one["entity"] or one["pattern"] or "")
    return row(one["severity"], f"`{one['code']}`", _lines(where, subject), _said(one["message"], one["help"]))


def _patterns(review: Review, links: Links) -> Iterator[str]:
    for one in review.patterns:
        place = links.of(one.after) if one.after else ""
        name = _lines(code(one.row["name"]), place)
        yield row(name, BECAME[one.became], _path(one, one.before), _path(one, one.after))


def _path(one: Pattern, told: Row | None) -> str:
    """What serves a pattern and what a call costs; of one that nothing serves, why, and what would help."""
    if told is None:
        return ""
    if not told["served"]:
        if told["unserved"]:
            return f"unserved: {text(told['unserved'])}"
        fix = told["fix"]
        help = f"<br>add to {text(fix['into'])}: {code(fix['text'])}" if fix and told is one.after else ""
        return f"**nothing**: {text(told['reason'])}{help}"
    by, cost = told["by"], told["cost"]
    fan_out = f" x{told['fan_out']}" if told["fan_out"] and told["fan_out"] > 1 else ""
    order = f", {text(told['order'])} order" if told["order"] in ("merge", "memory") else ""
    band = Band(cost["low"], cost["expected"], cost["high"])
    return f"{text(by['kind'])} {code(by['name'])}{fan_out}{order}<br>{text(band_text(band))} {text(cost['unit'])}"


def _changes(review: Review) -> Iterator[str]:
    for one in review.changes:
        yield row(one.classes, code(one.store), text(one.what), text(one.why))


def _versions(review: Review, links: Links) -> Iterator[str]:
    for one in review.versions:
        gates = "<br>".join(map(text, one.gates)) or "nobody"
        yield row(links.to(one.file, 0, one.folder), " ".join(sorted(set(one.classes))), str(one.steps), gates)


def _lint(review: Review, links: Links) -> Iterator[str]:
    for one in review.lint.findings:
        where = _lines(links.in_version(one), code(_about(one)))
        yield row(one.severity, f"`{one.code}`", where, _said(one.message, one.help))


def _violations(review: Review) -> Iterator[str]:
    for one in review.violations or ():
        yield row(text(one.level), code(one.policy), code(one.resource), _said(one.message, one.help))


def _accepted(review: Review, links: Links) -> Iterator[str]:
    for one in review.accepted:
        reason = text(one["reason"]) + (f" (until {text(one['until'])})" if one["until"] else "")
        yield row(f"`{one['code']}`", _lines(links.of(one), code(one["entity"] or "")), text(one["message"]), reason)
    for each in review.lint.accepted:
        it = each.finding
        reason = text(each.reason) + (f" (until {text(each.until)})" if each.until else "")
        where = _lines(links.in_version(it), code(_about(it)))
        yield row(f"`{it.code}`", where, text(it.message), reason)


def _healed(review: Review) -> Iterator[str]:
    for one in review.healed:  # no link: the line is that of the base
        where = code(f"{one['at']['file']}:{one['at']['line']}") if one["at"]["file"] else ""
        yield _found({**one, "help": ""}, where)


def _about(one: Finding) -> str:
    return " ".join(part for part in (one.store, one.object) if part)


def _said(message: str, help: str) -> str:
    return _lines(text(message), f"help: {text(help)}" if help else "")


def _lines(*parts: str) -> str:
    """What stands below each other in a cell."""
    return "<br>".join(part for part in parts if part)
