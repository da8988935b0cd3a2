"""The tables of a review in Markdown: one function for each, which makes its rows."""

from collections.abc import Iterator
from dataclasses import dataclass

from keywright.access.cost import Band
from keywright.rules.rule import Finding

from .gfm import code, link, row, text
from .matrix import band_text, figure
from .review import BECAME, Review, Row


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
        name = _lines(code(one.row["name"]), links.of(one.after) if one.after else "")
        before = _path(one.before) if one.before else ""
        if one.became == "cost" and one.before and one.after:
            yield row(name, _dearer(one.before["cost"], one.after["cost"]), before, _cost(one.after["cost"]))
        else:
            yield row(name, BECAME[one.became], before, _path(one.after) + _fix(one.after) if one.after else "")


def _path(told: Row) -> str:
    """What serves a pattern, and what a call costs; why nothing does."""
    if not told["served"]:
        return f"unserved: {text(told['unserved'])}" if told["unserved"] else f"**nothing**: {text(told['reason'])}"
    by = told["by"]
    fan_out = f" x{told['fan_out']}" if told["fan_out"] and told["fan_out"] > 1 else ""
    order = f", {text(told['order'])} order" if told["order"] in ("merge", "memory") else ""
    return f"{text(by['kind'])} {code(by['name'])}{fan_out}{order}<br>{_cost(told['cost'])}"


def _cost(cost: Row) -> str:
    """What a call costs: `0.5-9 RCU, mostly 1`."""
    band = Band(cost["low"], cost["expected"], cost["high"])
    usual = "" if band.is_exact or band.expected is None else f", mostly {figure(band.expected)}"
    return text(f"{band_text(band)} {cost['unit']}{usual}")


def _dearer(before: Row, after: Row) -> str:
    """Whether a call costs more or less than before, by the first figure that differs."""
    for key in ("expected", "high", "low"):
        was, now = before[key], after[key]
        if was is not None and now is not None and was != now:
            return "costs more" if now > was else "costs less"
    return BECAME["cost"]


def _fix(told: Row) -> str:
    """What to paste so that something serves a pattern."""
    fix = told["fix"]
    return f"<br>add to {text(fix['into'])}: {code(fix['text'])}" if fix and not told["unserved"] else ""


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
