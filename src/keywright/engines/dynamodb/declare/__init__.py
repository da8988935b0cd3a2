"""User vocabulary of DynamoDB: model options and environment settings."""
