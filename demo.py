"""`make demo`: from models to four real servers and back, with the same commands that a user types.

Leaves nothing running, also when it is broken off; what cannot be had here is named, and the rest goes on.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent
KEYWRIGHT = (sys.executable, "-m", "keywright", "--project", str(ROOT))


def main() -> int:
    """Run every part; the exit code is that of the first that failed."""
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    started = time.monotonic()
    try:
        return steps(started)
    except KeyboardInterrupt:
        print("\nstopping what was started")
        return 130
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C must not leave a server behind
        keywright("-q", "local", "down")


def steps(started: float) -> int:
    """Compile, start, apply, load, verify, prove; then a stack of it all, where Pulumi is."""
    for title, *arguments in (
        ("compile the models", "compile"),
        ("start real servers", "local", "up"),
        ("create everything and read it back", "apply", "--local"),
        ("load sample data", "sample", "--load", "--local", "--scale", "200"),
        ("apply again: nothing to do", "-q", "apply", "--local"),
    ):
        if code := step(title, *arguments):
            return code
    code = summary(time.monotonic() - started) or step("prove every access pattern", "prove", "--local")
    return code or run((sys.executable, "-m", "tests.pulumi.demo"))


def step(title: str, *arguments: str) -> int:
    """Run a command below its title."""
    print(f"\n== {title}: keywright {' '.join(arguments)}", flush=True)
    return keywright(*arguments)


def keywright(*arguments: str) -> int:
    """Run a command as a user would."""
    return run((*KEYWRIGHT, *arguments))


def run(words: tuple[str, ...]) -> int:
    """Run a command; Ctrl-C is passed on once, and waited for: the command cleans up after itself."""
    # In a group of its own, else the terminal would break it off too, and a second time.
    with subprocess.Popen(words, process_group=0) as command:
        try:
            return command.wait()
        except KeyboardInterrupt:
            command.send_signal(signal.SIGINT)
            command.wait()
            raise


def summary(seconds: float) -> int:
    """Show what the models declare and what the servers hold now."""
    declared = json.loads((ROOT / "build" / "dev" / "ir.json").read_text())
    found = subprocess.run(
        (*KEYWRIGHT, "inspect", "--local", "--format", "json"), check=False, stdout=subprocess.PIPE, text=True
    )
    if found.returncode:
        return found.returncode
    objects: dict[str, list[str]] = {}
    for target in json.loads(found.stdout)["targets"]:
        engine, _, store = target["store"].partition("/")
        objects.setdefault(engine, []).append(store if engine == "redis" else target["name"])
    print(f"\n== {len(declared['entities'])} entities, made and loaded in {seconds:.0f} s", flush=True)
    for engine, names in objects.items():
        kept = sum(1 for binding in declared["bindings"] if binding["engine"] == engine)
        print(f"  {engine:10} {kept:3} entities in {', '.join(names)}")
    missing = {binding["engine"] for binding in declared["bindings"]} - objects.keys()
    for engine in sorted(missing):
        print(f"  {engine:10} not shown: its server could not be had, see above")
    return 0


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
