"""The reference pages, made from the code: words of the vocabulary and commands, each with what it says of itself."""

import ast
import inspect
import itertools
import re
import textwrap
from importlib import import_module
from typing import Any

import click

import keywright as kw
from keywright.cli import help as overview
from keywright.cli.help import COMMANDS
from keywright.declare.declared import Declared

SUBJECTS = {
    "Facts about fields": (
        "Size", "Cardinality", "Pii", "Ref", "Vector", "Precision", "Ttl", "CopiedFrom", "Depth", "Overflow",
        "RenamedFrom",
    ),
    "Access patterns that read": ("Get", "Read", "Count", "Rank", "RankAround", "Aggregate", "Sum", "Avg", "Distinct",
                                  "Join", "ReadTogether", "TransactGet"),
    "Access patterns that write": ("Put", "Update", "Increment", "Delete", "Take", "Transact"),
    "Conditions": ("OneOf", "AtLeast", "Above", "AtMost", "Below", "Present", "Not", "Contains", "StartsWith", "Length",
                   "Collation"),
    "Stores and change": (
        "bind", "Bound", "Model", "Stream", "Consumer", "ConsumerGroup", "Rebuild", "Upgrade", "Split", "CutOver",
        "ignore",
    ),
}  # fmt: skip
ENGINES = {"DynamoDB": "dynamodb", "MongoDB": "mongodb", "Cassandra": "cassandra", "Redis": "redis"}


def words() -> str:
    """docs/reference/words.md."""
    lines = ["# Words", "", "Everything behind `import keywright as kw`. Made from the code by `make golden`.", ""]
    listed: set[str] = set()
    for title, names in _subjects().items():
        lines += [f"## {title}", ""]
        for name in names:
            listed.add(name)
            lines += _word(name)
    left = set(kw.__all__) - listed - {"__version__", "DeclarationError"}
    assert not left, f"words without a place in the reference: {sorted(left)}"
    return "\n".join(lines)


def commands() -> str:
    """docs/reference/commands.md."""
    lines = ["# Commands", "", "```", overview.text(), "```", ""]
    for name in COMMANDS:
        command = import_module(f"keywright.cli.commands.{name}").command
        lines += _command(command, f"keywright {name}")
        if isinstance(command, click.Group):
            context = click.Context(command)
            for word in command.commands or command.list_commands(context):
                inner = command.get_command(context, word)
                assert inner is not None, word
                lines += _command(inner, f"keywright {name} {word}")
    return "\n".join(lines)


def _subjects() -> dict[str, tuple[str, ...]]:
    engines = {
        title: tuple(
            word
            for word in kw.__all__
            if getattr(getattr(kw, word), "__module__", "").startswith(f"keywright.engines.{e}")
        )
        for title, e in ENGINES.items()
    }
    return SUBJECTS | engines


def _word(name: str) -> list[str]:
    word = getattr(kw, name)
    lines = [f"### kw.{name}", "", inspect.getdoc(word) or "", ""]
    if isinstance(word, type) and issubclass(word, Declared):
        said = _docs(word)
        for option, kind in word.__options__.kinds.items():
            if not said[option]:
                continue
            default = word.__options__.defaults.get(option, ...)
            shown = "" if default is ... else f", by default `{default!r}`"
            lines.append(f"- `{option}` ({_kind(kind)}{shown}): {said[option]}")
        lines.append("")
    return lines


def _docs(cls: type) -> dict[str, str]:
    """The sentence below each option, of the class and its bases; empty for one that exists only to be refused."""
    said: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("keywright.") and base is not Declared:
            body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
            assert isinstance(body, ast.ClassDef)
            said |= _said(body.body)
            for hidden in (part for part in body.body if isinstance(part, ast.If)):
                said |= dict.fromkeys(_said(hidden.body), "")
    return said


def _said(body: list[ast.stmt]) -> dict[str, str]:
    said: dict[str, str] = {}
    for field, text in itertools.pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            assert isinstance(text, ast.Expr), field.target.id
            assert isinstance(text.value, ast.Constant), field.target.id
            said[field.target.id] = " ".join(str(text.value.value).split())
    return said


def _kind(kind: Any) -> str:
    text = kind.__name__ if isinstance(kind, type) else str(kind)
    text = re.sub(r"\b(?:[a-z_]+\.)+(?=\w)", "", text)
    return f"`{text}`"


def _command(command: click.Command, name: str) -> list[str]:
    context = click.Context(command, info_name=name, terminal_width=100, max_content_width=100)
    return [f"## {name}", "", "```", command.get_help(context).rstrip(), "```", ""]
