"""Facts about DynamoDB stores that several rules use."""
