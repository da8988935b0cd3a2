"""What to report of a model file that does not import: the fact behind the exception, at the user's own line."""

import re
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

from keywright.declare.locate import attribute_line, is_in_format_string, top_line
from keywright.errors import DeclarationError, Place, did_you_mean

_CYCLE = re.compile(r"partially initialized module '([\w.]+)'")
_WORD = re.compile(r"cannot import name '(\w+)' from 'keywright'|keywright has no word \"(\w+)\"")
_BARE_ATTRIBUTE = re.compile(r"A non-annotated attribute was detected: `(\w+) = (\w+)")
_UNKNOWN_TYPE = re.compile(r"Unable to generate pydantic-core schema for (.+?)\. Set ")


def refusal_of(error: BaseException, file: Path, roots: Sequence[Path]) -> DeclarationError:
    """The error to report of an exception that left a model file.

    file: the file that was being imported; roots: the import roots, which hold the user's own files.
    """
    if isinstance(error, DeclarationError):
        return error
    at = _last_own_line(error, roots) or Place(str(file), 0)
    for explain in _EXPLANATIONS:
        if (found := explain(error, at)) is not None:
            return found
    problem = f"the file does not import: {type(error).__name__}: {_sentence(error)}"
    return DeclarationError("E0101", problem, at, _advice(error, at))


def _unreadable(error: BaseException, at: Place) -> DeclarationError | None:
    if isinstance(error, OSError) and not at.line:
        problem = f"the file cannot be read: {error.strerror}"
        return DeclarationError("E0106", problem, at, "give yourself the right to read it")
    if not isinstance(error, SyntaxError):
        return None
    file = error.filename if error.filename and Path(error.filename).is_file() else at.file
    if "unicode" in str(error) or "null bytes" in str(error):
        return DeclarationError("E0106", "the file is not text in UTF-8", Place(file, 0), "save it as UTF-8")
    help = "correct the syntax; the line is where Python noticed it, the cause may stand just above"
    return DeclarationError("E0106", f"the file is not valid Python: {error.msg}", Place(file, error.lineno or 0), help)


def _in_cycle(error: BaseException, at: Place) -> DeclarationError | None:
    match = _CYCLE.search(str(error)) if isinstance(error, (ImportError, AttributeError)) else None
    module = match[1] if match else _unfinished(error)
    if not module:
        return None
    problem = f'the import leads back to "{module}", which is not finished yet'
    help = 'move what both files need into a third one, or refer to the other model by its quoted name: kw.Ref("Other")'
    return DeclarationError("E0104", problem, at, help)


def _unfinished(error: BaseException) -> str:
    """Dotted name of a module that its package lacks because its import is still under way; empty if there is none."""
    if not isinstance(error, AttributeError) or not isinstance(error.obj, ModuleType):
        return ""
    name = f"{error.obj.__name__}.{error.name}"
    ends = (f"/{name.replace('.', '/')}.py", f"/{name.replace('.', '/')}/__init__.py")
    is_under_way = any(frame.filename.endswith(ends) for frame in traceback.extract_tb(error.__traceback__))
    return name if is_under_way else ""


def _unknown_word(error: BaseException, at: Place) -> DeclarationError | None:
    match = _WORD.search(str(error)) if isinstance(error, (ImportError, AttributeError)) else None
    if match is None:
        return None
    word = match[1] or match[2]
    return DeclarationError("E0109", f'keywright has no word "{word}"', at, did_you_mean(word, _words()))


def _words() -> list[str]:
    return [word for word in dir(sys.modules["keywright"]) if not word.startswith("_")]


def _bare_attribute(error: BaseException, at: Place) -> DeclarationError | None:
    match = _BARE_ATTRIBUTE.search(str(error))
    if match is None:
        return None
    name, kind = match[1], match[2]
    help = f"write {name}: <type> = ..., or {name}: ClassVar = ... if it is no field"
    if _is_a(kind, "Store"):
        help = f"a store is called __store__: write __store__: ClassVar = kw.{kind}(...)"
    elif _is_a(kind, "Load"):
        help = f"patterns stand below the class: {name} = kw.{kind}(<the class>, ...)"
    place = Place(at.file, attribute_line(at.file, at.line, name) or at.line)
    return DeclarationError("E0209", f'"{name}" has a value and no annotation', place, help)


def _unknown_type(error: BaseException, at: Place) -> DeclarationError | None:
    match = _UNKNOWN_TYPE.search(str(error))
    if match is None:
        return None
    name = match[1].removeprefix("<class '").removesuffix("'>").rpartition(".")[2]
    help = "use a plain type, a list, a dict or a model"
    if _is_a(name, "Store"):
        help = f"a store is called __store__: write __store__: ClassVar = kw.{name}(...)"
    return DeclarationError("E0204", f'a field is annotated "{name}", which has no form in a store', at, help)


def _is_a(word: str, base: str) -> bool:
    """Whether a word of the vocabulary is a kind of `base`."""
    found = getattr(sys.modules["keywright"], word, None) if word in _words() else None
    return isinstance(found, type) and any(parent.__name__ == base for parent in found.__mro__)


_EXPLANATIONS: tuple[Callable[[BaseException, Place], DeclarationError | None], ...] = (
    _unreadable,
    _in_cycle,
    _unknown_word,
    _bare_attribute,
    _unknown_type,
)
"""Exceptions that mean something of their own, each with its code; what none of them knows is E0101."""


def _last_own_line(error: BaseException, roots: Sequence[Path]) -> Place | None:
    """The last line in the project's own files that led to the exception."""
    tops = [f"{root.resolve()}/" for root in roots]
    ours = f"{Path(__file__).parent.parent}/"
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if any(frame.filename.startswith(top) for top in tops)
        and "/site-packages/" not in frame.filename
        and not frame.filename.startswith(ours)
    ]
    return Place(own[-1].filename, own[-1].lineno or 0) if own else None


def _sentence(error: BaseException) -> str:
    return " ".join(str(error).split("\n", 1)[0].split())[:300]


def _advice(error: BaseException, at: Place) -> str:
    if isinstance(error, ModuleNotFoundError):
        return f'install "{error.name}", or add its folder to `import-roots` under [tool.keywright] in pyproject.toml'
    if isinstance(error, SystemExit):
        return "a model file only declares: guard what it runs with `if __name__ == '__main__':`"
    if isinstance(error, NameError):
        return _advice_on_name(error.name or "", at)
    return "correct that line: a model file must import by itself, as `python -c 'import ...'` does"


def _advice_on_name(name: str, at: Place) -> str:
    if is_in_format_string(at.file, at.line, name):
        return f'keywright fills the braces, not Python: write "...{{{name}}}..." without the f before the quotes'
    if (line := top_line(at.file, name)) > at.line:
        return f'"{name}" is defined below, in line {line}: move this line under it'
    return f'define or import "{name}" above this line'
