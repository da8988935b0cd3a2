"""The data model of a music streaming service, one file for each bounded context."""
