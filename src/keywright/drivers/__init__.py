"""Clients of real servers, one folder per engine: the only importers of boto3, pymongo, cassandra and redis."""
