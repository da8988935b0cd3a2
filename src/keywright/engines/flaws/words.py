"""How findings say times."""

from datetime import timedelta

_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def span(time: timedelta) -> str:
    """A length of time in the largest unit that it is a whole number of, such as `30 days`."""
    seconds = int(time.total_seconds())
    word, unit = next((word, unit) for word, unit in _UNITS if seconds % unit == 0)
    return f"{seconds // unit} {word}{'' if seconds == unit else 's'}"
