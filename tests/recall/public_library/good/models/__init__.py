"""Data models of the libraries, one file for each department."""
