"""Monitoring of DynamoDB: alarms of CloudWatch."""
