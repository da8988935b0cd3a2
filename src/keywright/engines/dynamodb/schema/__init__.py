"""The schema of DynamoDB: lowers, places, renders and describes targets."""
