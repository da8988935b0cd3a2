"""Access planning for DynamoDB: paths, native queries, costs, fixes and evidence."""
