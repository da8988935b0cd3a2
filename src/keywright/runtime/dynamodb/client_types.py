"""The methods of an application's DynamoDB client that calls use; boto3 creates clients without types."""

from typing import Any, Protocol


class DynamoClient(Protocol):
    """boto3's low-level client: each method takes the parts of a request by name and returns the response."""

    def get_item(self, **request: Any) -> dict[str, Any]:
        """Read an item."""

    def batch_get_item(self, **request: Any) -> dict[str, Any]:
        """Read items by their keys."""

    def query(self, **request: Any) -> dict[str, Any]:
        """Read items of a partition."""

    def scan(self, **request: Any) -> dict[str, Any]:
        """Read all items of a table, or of a segment of it."""

    def put_item(self, **request: Any) -> dict[str, Any]:
        """Write an item."""

    def update_item(self, **request: Any) -> dict[str, Any]:
        """Change attributes of an item."""

    def delete_item(self, **request: Any) -> dict[str, Any]:
        """Delete an item."""

    def batch_write_item(self, **request: Any) -> dict[str, Any]:
        """Write and delete items."""

    def transact_get_items(self, **request: Any) -> dict[str, Any]:
        """Read items as they are at one moment."""

    def transact_write_items(self, **request: Any) -> dict[str, Any]:
        """Write items, all or none."""
