"""Text changes by offset: computed on the same text, combined, and applied from the end."""

from collections.abc import Iterable, Sequence

from keywright.record import Record

from .source import SourceFile


class TextChange(Record):
    """Replacement text between two offsets."""

    start: int
    """The first offset."""
    end: int
    """The offset after the last removed character; equal to `start` for an insertion."""
    text: str
    """The new text."""
    topic: tuple[int, str] | None = None
    """An offset and a name, such as a call and its argument, that only one change may set; None for no limit."""


def conflicts(changes: Iterable[TextChange], others: Sequence[TextChange]) -> bool:
    """Whether some of the changes conflict with others; identical changes do not conflict."""
    return any(_conflicts(change, other) for change in changes for other in others if change != other)


def _conflicts(change: TextChange, other: TextChange) -> bool:
    if change.topic is not None and change.topic == other.topic:
        return True
    if change.start == change.end or other.start == other.end:  # an insertion may touch either end of a change
        return change.start < other.end and other.start < change.end
    return max(change.start, other.start) < min(change.end, other.end)


def apply_changes(source: SourceFile, changes: Sequence[TextChange]) -> SourceFile:
    """The file with all changes, each once; insertions at the same offset keep their order."""
    text = source.text
    for change in sorted(dict.fromkeys(changes), key=lambda change: (change.start, change.end))[::-1]:
        text = text[: change.start] + change.text + text[change.end :]
    return SourceFile(text, source.width)
