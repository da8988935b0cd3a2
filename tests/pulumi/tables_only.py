"""Programs that contain nothing but tables."""

import pytest


@pytest.fixture(scope="module")
def addresses() -> dict[str, str]:
    """No store but DynamoDB."""
    return {}
