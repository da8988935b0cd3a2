"""Converts resources of Pulumi policies to plain data: no proxies, integers, and `Unknown` for unknown values."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pulumi_policy import PolicyResource, ResourceValidationArgs, proxy
from pulumi_policy.secret import Secret

from keywright.engines.findings.program.resource import ProgramResource, Unknown
from keywright.provision.values import received

_UNKNOWN = frozenset((
    proxy.UNKNOWN_BOOLEAN_VALUE, proxy.UNKNOWN_NUMBER_VALUE, proxy.UNKNOWN_STRING_VALUE, proxy.UNKNOWN_ARRAY_VALUE,
    proxy.UNKNOWN_ASSET_VALUE, proxy.UNKNOWN_ARCHIVE_VALUE, proxy.UNKNOWN_OBJECT_VALUE,
))  # fmt: skip
"""Values of the protocol that mean an unknown value."""


class PlainInputs(Mapping[str, Any]):
    """The inputs of a resource, converted on first use, because most rules apply to other types."""

    def __init__(self, props: Mapping[str, Any]) -> None:
        self._props = props
        self._plain: dict[str, Any] | None = None

    def _read(self) -> dict[str, Any]:
        if self._plain is None:
            inputs: Any = received(_plain(self._props, ""))
            self._plain = inputs
        return self._plain

    def __getitem__(self, key: str) -> Any:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


def of_args(args: ResourceValidationArgs) -> ProgramResource:
    """The resource of a policy's validation."""
    return ProgramResource(
        type=args.resource_type, urn=args.urn, inputs=PlainInputs(args.props), is_protected=args.opts.protect,
        ignores=tuple(args.opts.ignore_changes), update_seconds=args.opts.custom_timeouts.update_seconds,
        parent=args.opts.parent or "",
    )  # fmt: skip


def of_stack(resources: Sequence[PolicyResource]) -> list[ProgramResource]:
    """All resources of a stack, with the resources that their inputs depend on."""
    return [
        ProgramResource(
            type=resource.resource_type, urn=resource.urn, inputs=PlainInputs(resource.props),
            is_protected=resource.opts.protect,
            ignores=tuple(resource.opts.ignore_changes), update_seconds=resource.opts.custom_timeouts.update_seconds,
            parent=resource.parent.urn if resource.parent else "",
            needs=_needs(resource),
        )
        for resource in resources
    ]  # fmt: skip


def _needs(resource: PolicyResource) -> dict[str, list[str]]:
    """URNs of the resources that each input depends on."""
    needs = resource.property_dependencies
    return {key: [dependency.urn for dependency in dependencies] for key, dependencies in needs.items()}


def _plain(value: Any, path: str) -> Any:
    match value:
        case str():
            return Unknown(path) if value in _UNKNOWN else value
        case Secret():
            return _plain(value.value, path)
        case Mapping():
            inner = behind(value)
            return {key: _plain(inner[key], f"{path}.{key}" if path else key) for key in inner}
        case Sequence():
            inner = behind(value)
            return [_plain(inner[at], f"{path}[{at}]") for at in range(len(inner))]
    return value


def behind(value: Any) -> Any:
    """The target of a proxy, which raises for unknown values; any other value unchanged."""
    return value if isinstance(value, (dict, list)) else value["__target"]
