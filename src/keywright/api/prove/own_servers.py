"""Servers of their own for proofs that need the first part of a server, where a developer's data is."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from keywright import local
from keywright.compiler import Compiled
from keywright.local import Running, WantedServer

from ..live.local_servers import instance_of, products_of


@contextmanager
def own_servers(compiled: Compiled, running: Mapping[WantedServer, Running]) -> Iterator[dict[WantedServer, Running]]:
    """The running servers, with another one in place of each that this project started and whose first part is needed.

    The others are stopped at the end. A server in a variable stays: its first part must be empty.
    """
    needed = {instance_of(target) for target in compiled.targets if target.engine.needs_first_part(target.declared)}
    replaced = [instance for instance, server in running.items() if instance in needed and server.pid is not None]
    if not replaced:
        yield dict(running)
        return
    folder = Path(tempfile.mkdtemp(prefix="keywright-"))
    try:
        products = products_of(compiled)
        answers = local.up(folder, replaced, tell=lambda event: None, is_own=True, products=products)
        started = {server.instance: server for server in answers if isinstance(server, Running)}
        yield {**running, **started}
    finally:
        local.down(folder, tell=lambda event: None)
        shutil.rmtree(folder, ignore_errors=True)
