"""Findings that do not depend on an engine: in models, live stores, Pulumi programs and migrations."""
