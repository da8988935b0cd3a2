"""Naive answers to the usual questions: each is refused, or names the rules that find what is wrong with it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """One naive model, with the patterns that make it naive."""

    title: str
    """What is naive about it."""
    source: str
    """A model file, without its imports."""
    illegal: str = ""
    """The code of the error that it raises."""
    findings: tuple[str, ...] = ()
    """The rules that speak about it."""

    @property
    def slug(self) -> str:
        """The title as a file name."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.title.lower())
