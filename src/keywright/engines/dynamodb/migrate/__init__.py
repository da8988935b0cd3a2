"""Migrations of DynamoDB: differences, steps, transforms."""
