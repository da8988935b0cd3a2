"""What tests of alerts share: promtool."""

from tests.monitoring.promtool import promtool as promtool
