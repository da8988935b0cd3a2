"""MongoDB: declarations, schema, access plans, migrations, rules and monitoring."""
