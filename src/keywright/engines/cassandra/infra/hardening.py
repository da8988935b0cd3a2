"""Hardening: recommended arguments of resources of Keyspaces, as rows of a table.

Names of arguments: https://www.pulumi.com/registry/packages/aws/api-docs/,
2026-11-22.
"""

from keywright.engines.findings.hardening import HardeningRow, RequiredArgument, stated

ROWS = (
    HardeningRow(
        "INF401", "aws:keyspaces/table:Table",
        (stated(
            "encryptionSpecification.kmsKeyIdentifier",
            "you can neither revoke nor audit the encryption key of the table",
            "set encryption_specification={\"type\": \"CUSTOMER_MANAGED_KMS_KEY\", \"kms_key_identifier\": key.arn}",
        ),),
        "checkov CKV_AWS_265",
    ),
    HardeningRow(
        "INF402", "aws:keyspaces/table:Table",
        (RequiredArgument(
            "pointInTimeRecovery.status", lambda value: value == "ENABLED",
            "the table cannot be restored to a point in time of the last 35 days",
            "set point_in_time_recovery={\"status\": \"ENABLED\"}",
        ),),
        "none", severity="error",
    ),
)  # fmt: skip
"""The rows, one per rule."""
