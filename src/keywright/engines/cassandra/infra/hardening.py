"""Hardening: recommended arguments of resources of Keyspaces, as rows of a table.

Names of arguments: https://www.pulumi.com/registry/packages/aws/api-docs/,
2026-11-22.
"""

from keywright.engines.findings.hardening import HardeningRow, stated

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
)  # fmt: skip
"""The rows, one per rule."""
