"""The base of every declaration: frozen, by keyword, checked when it is made, and aware of where it was written.

Type checkers see frozen keyword-only dataclasses. They are not made by `dataclasses`, which compiles several functions
for each class and would slow every import of a project; and a wrong option here gets a suggestion.
"""

import inspect
import os
import sys
from typing import TYPE_CHECKING, Any, ClassVar, Literal, dataclass_transform

from keywright.errors import DeclarationError, Place, report

from .values import SUBJECT, Options, problems_with

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def subject(*, kw_only: Literal[False]) -> Any:
    """Marks what a declaration is about: it comes first and without keyword, all else is an option with one."""
    return SUBJECT


def call_site() -> Place:
    """File and line of the nearest caller outside keywright."""
    frame = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
    return Place(frame.f_code.co_filename, frame.f_lineno)


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False, field_specifiers=(subject,))
class Declared:
    """A declaration; two are the same only if they are the same object."""

    def __init_subclass__(cls) -> None:
        """Collect the options that the class and its bases annotate."""
        super().__init_subclass__()
        kinds: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            kinds.update(inspect.get_annotations(base))
        defaults = {name: getattr(cls, name) for name in kinds if hasattr(cls, name)}
        cls.__options__ = Options(cls.__name__, kinds, defaults, own=list(inspect.get_annotations(cls)))

    def __init__(self, *subjects: object, **options: object) -> None:
        known: Options = self.__options__
        given = {**dict(zip(known.subjects, subjects, strict=False)), **options} if subjects else options
        self.__dict__.update(known.defaults, **given)
        self.__dict__["__at__"] = call_site()
        problems = problems_with(known, given, len(subjects), options)
        for code, problem, help in problems:
            self.wrong(code, problem, help)
        if problems or any(map(_is_incomplete, given.values())):
            # What rests on something that lacks attributes is not looked at: its mistakes would be consequences.
            self.__dict__["__incomplete__"] = self.__dict__["__refused__"] = True
        else:
            self.check()

    if TYPE_CHECKING:
        __options__: ClassVar[Options]
    else:

        def __setattr__(self, name: str, value: object) -> None:
            kind = type(self).__name__
            report(
                DeclarationError(
                    "E0505", f"a {kind} does not change after it was made", call_site(), f"make another {kind}"
                )
            )

    def __repr__(self) -> str:
        values = ((name, getattr(self, name, None)) for name in self.__options__.kinds)
        shown = [
            f"{name}={value!r}" for name, value in values if value is not self.__options__.defaults.get(name, SUBJECT)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    @property
    def at(self) -> Place:
        """File and line of the declaration."""
        place: Place = self.__dict__["__at__"]
        return place

    @property
    def is_refused(self) -> bool:
        """Whether something was wrong with it, so that it may lack what others expect of it."""
        return "__refused__" in self.__dict__

    @property
    def is_incomplete(self) -> bool:
        """Whether its options, or those of something that it was given, are not what its class says."""
        return "__incomplete__" in self.__dict__

    def check(self) -> None:
        """What this declaration can know to be wrong about itself."""

    def wrong(self, code: str, problem: str, help: str = "", subject: str = "", at: Place | None = None) -> None:
        """Report a problem, by default at the place where this was declared.

        subject: what it is about, such as a class.
        """
        self.__dict__["__refused__"] = True
        report(DeclarationError(code, problem, at or self.at, help, subject))


def _is_incomplete(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_is_incomplete, value.values()))  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    if isinstance(value, list):
        return any(map(_is_incomplete, value))  # pyright: ignore[reportUnknownArgumentType]
    return isinstance(value, Declared) and value.is_incomplete
