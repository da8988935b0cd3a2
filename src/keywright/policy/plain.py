"""What Pulumi hands a policy, as plain data: no proxies, whole numbers as such, and what is not known as `Unknown`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pulumi_policy import PolicyResource, ResourceValidationArgs, proxy
from pulumi_policy.secret import Secret

from keywright.engines.flaws.resource import Resource, Unknown
from keywright.provision.values import received

_UNKNOWN = frozenset((
    proxy.UNKNOWN_BOOLEAN_VALUE, proxy.UNKNOWN_NUMBER_VALUE, proxy.UNKNOWN_STRING_VALUE, proxy.UNKNOWN_ARRAY_VALUE,
    proxy.UNKNOWN_ASSET_VALUE, proxy.UNKNOWN_ARCHIVE_VALUE, proxy.UNKNOWN_OBJECT_VALUE,
))  # fmt: skip
"""What stands in the protocol for a value that is not known."""


class Inputs(Mapping[str, Any]):
    """The inputs of a resource, made plain when a rule first looks at them: most are about other types."""

    def __init__(self, props: Mapping[str, Any]) -> None:
        self._props = props
        self._plain: dict[str, Any] | None = None

    def _read(self) -> dict[str, Any]:
        if self._plain is None:
            told: Any = received(_plain(self._props, ""))
            self._plain = told
        return self._plain

    def __getitem__(self, key: str) -> Any:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


def of_args(args: ResourceValidationArgs) -> Resource:
    """The resource that a policy is asked about."""
    return Resource(
        type=args.resource_type, urn=args.urn, inputs=Inputs(args.props), is_protected=args.opts.protect,
        ignores=tuple(args.opts.ignore_changes), update_seconds=args.opts.custom_timeouts.update_seconds,
        parent=args.opts.parent or "",
    )  # fmt: skip


def of_stack(resources: Sequence[PolicyResource]) -> list[Resource]:
    """All resources of a stack, with what their inputs are made of."""
    return [
        Resource(
            type=one.resource_type, urn=one.urn, inputs=Inputs(one.props), is_protected=one.opts.protect,
            ignores=tuple(one.opts.ignore_changes), update_seconds=one.opts.custom_timeouts.update_seconds,
            parent=one.parent.urn if one.parent else "",
            needs={key: [other.urn for other in others] for key, others in one.property_dependencies.items()},
        )
        for one in resources
    ]  # fmt: skip


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
    """What a proxy stands for, which raises where something is not known; anything else as it is."""
    return value if isinstance(value, (dict, list)) else value["__target"]
