"""Everything that is true of DynamoDB only."""
