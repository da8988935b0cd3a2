"""RED001: a server may use all memory of its machine."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.redis.schema.capabilities import is_service


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """A server without a bound; services set their own."""
    if not is_service(target.environment.flavour) and "maxmemory" not in dict(target.placed.settings):
        yield FindingDraft(
            problem=f'server "{target.declared.name}" has no maxmemory, and by itself takes all there is',
            help="say ram: of its machine in the stack file: three quarters of it are for data",
            subject=target.declared.name,
            at=target.setting("ram"),
        )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """A running server without a bound, although the environment sets one."""
    if live_target.observation.figure("maxmemory") == 0 and "maxmemory" in dict(live_target.target.placed.settings):
        yield FindingDraft(
            problem=f'server "{live_target.name}" runs without maxmemory, and uses '
            f"{(live_target.observation.figure('used_memory') or 0) / 2**20:,.0f} MiB by now",
            help="`keywright migrate apply` sets it again; see who took it away",
            subject=live_target.name,
            at=live_target.target.setting("maxmemory"),
        )
