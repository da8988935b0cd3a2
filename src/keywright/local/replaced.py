"""A server that a variable names in place of a local one: asked, never started or stopped."""

from urllib.parse import urlsplit

from keywright.errors import Unavailable
from keywright.local.environment import url_variable
from keywright.local.instance import Instance, Running
from keywright.local.recipes import recipe_of


def ask(instance: Instance, url: str) -> Running | Unavailable:
    """The server at an address that a variable gave, or the error that says why it is of no use."""
    variable = url_variable(instance.engine)
    try:
        driver = recipe_of(instance.engine).driver()
    except Unavailable as absent:
        return absent
    if not driver.is_ready(url):
        return Unavailable(
            f'"{variable}" names "{_shown(url)}", which does not answer', f"start it or unset {variable}"
        )
    try:
        port = urlsplit(url).port
    except ValueError:  # several hosts, each with a port
        port = None
    return Running(instance, None, port, url, f"${variable}", driver.version(url))


def _shown(url: str) -> str:
    """The address without its password."""
    address = urlsplit(url)
    return address._replace(netloc=address.netloc.rpartition("@")[2]).geturl()
