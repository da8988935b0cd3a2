"""The DynamoDB driver."""
