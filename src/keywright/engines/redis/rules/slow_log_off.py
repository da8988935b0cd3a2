"""RED024: a server does not record slow commands."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment


def stored(target: TargetInEnvironment, *, max_ms: int = 500) -> Iterator[FindingDraft]:
    """Servers whose slow log is turned off, has no entries, or records only commands that take longer.

    max_ms: milliseconds from which a command must be recorded.
    """
    settings = dict(target.placed.settings)
    micros = int(settings.get("slowlog-log-slower-than", "10000"))
    is_off = micros < 0 or micros > max_ms * 1_000
    if is_off or int(settings.get("slowlog-max-len", "128")) == 0:
        name = "slowlog-log-slower-than" if is_off else "slowlog-max-len"
        yield FindingDraft(
            problem=f'server "{target.declared.name}" records no slow commands, by "{name}" {settings[name]}: '
            "a command that blocks all others cannot be found",
            help=f'remove "{name}" from settings=: commands of more than 10 ms are recorded by default',
            subject=target.declared.name,
        )
