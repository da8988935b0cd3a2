"""The intermediate representation: a project's declarations as plain records."""
