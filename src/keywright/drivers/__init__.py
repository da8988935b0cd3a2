"""Clients of real servers, one module per engine: the only importers of boto3, pymongo, cassandra and redis."""
