"""A small program of somebody who does not know keywright: tables with and without care, judged by the pack alone."""

import shutil
import sys

from tests.pulumi.world import ROOT, World

PROJECT = """\
name: warehouse
runtime: {name: python, options: {toolchain: pip, virtualenv: .venv}}
"""

PROGRAM = """\
import json
import os

import pulumi
import pulumi_aws as aws

KEY = "arn:aws:kms:eu-west-1:111122223333:key/warehouse"


def table(name, **more):
    return aws.dynamodb.Table(
        name, **{
            "name": f"{pulumi.get_stack()}-{name}", "hash_key": "pk", "attributes": [{"name": "pk", "type": "S"}],
            "billing_mode": "PAY_PER_REQUEST", **more,
        },
    )


HARD = {
    "point_in_time_recovery": {"enabled": True},
    "server_side_encryption": {"enabled": True, "kms_key_arn": KEY},
    "deletion_protection_enabled": True,
    "opts": pulumi.ResourceOptions(
        protect=True, retain_on_delete=True,
        custom_timeouts=pulumi.CustomTimeouts(create="4h", update="4h", delete="4h"),
    ),
}

last = None
for name, more in json.loads(os.environ["TABLES"]).items():
    is_hard, is_after = more.pop("hard", False), more.pop("after", False)
    later = {"server_side_encryption": {"enabled": True, "kms_key_arn": last.arn}} if is_after else {}
    last = made = table(name, **{**(HARD if is_hard else {}), **later, **more})
    for metric in ("ReadThrottleEvents", "WriteThrottleEvents") if is_hard else ():
        aws.cloudwatch.MetricAlarm(
            f"{name}-{metric}", name=f"{name}-{metric}", namespace="AWS/DynamoDB", metric_name=metric, statistic="Sum",
            period=60, evaluation_periods=1, threshold=0, comparison_operator="GreaterThanThreshold",
            dimensions={"TableName": made.name},
        )
"""


class Guarded(World):
    """A program of tables that its tests say, and this project's pack."""

    def prepare(self) -> None:
        """Write it; there is no model and no stack file of keywright's."""
        super().prepare()
        shutil.rmtree(self.root)
        self.root.mkdir()
        (self.root / "Pulumi.yaml").write_text(PROJECT, encoding="utf-8")
        (self.root / "__main__.py").write_text(PROGRAM, encoding="utf-8")
        (self.root / ".venv").symlink_to(sys.prefix)
        shutil.copytree(ROOT / "policies", self.root / "policies", ignore=shutil.ignore_patterns("__pycache__"))
