"""The command line: one file per command, which parses options, calls `api` and prints."""
