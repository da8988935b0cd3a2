"""Checks models: options of rules, findings, suppressions and fixes."""
