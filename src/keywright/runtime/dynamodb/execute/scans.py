"""Scans of a table or index: pages and counts, of one segment or of all."""

from typing import Any

from keywright.engines.dynamodb.access.calls import ScanItems
from keywright.engines.dynamodb.declare.options import Item
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.runtime.items.codec import Codec, PatternFunction
from keywright.runtime.validate.arguments import Arguments

from ..client_types import DynamoClient
from .queries import NativeRequest, Requests, prepared
from .spans import KeyRange


def prepare_scan(pattern: Pattern, binding: Binding[Item], scan: ScanItems, codec: Codec[Any]) -> PatternFunction:
    """Scan as a function of a client and the arguments of a call: the segments that it reads, one after the other."""
    ranges = [KeyRange(id=str(segment)) for segment in range(scan.segments)]

    def ranges_of_call(arguments: Arguments) -> list[KeyRange]:
        return ranges if arguments.segment is None else [ranges[arguments.segment]]

    return prepared(pattern, binding, ranges_of_call, _ScanRequests(binding, scan), codec)


class _ScanRequests(Requests):
    """Requests of a scan for one segment."""

    def __init__(self, binding: Binding[Item], scan: ScanItems) -> None:
        super().__init__(binding, scan.query)
        self._segments = scan.segments

    def sent(self, client: DynamoClient, key_range: KeyRange, request: NativeRequest) -> dict[str, Any]:
        """See `Requests.sent`."""
        if self._segments == 1:
            return client.scan(**request)
        return client.scan(**request, Segment=int(key_range.id), TotalSegments=self._segments)
