"""How work on several servers is given up: one event that every wait looks at, and the exception that ends it."""

import threading

NEVER = threading.Event()
"""An event that nobody sets, for work that can't be cancelled."""


class Cancelled(Exception):
    """The work was given up; whoever began it cleans up after it."""
