"""Taking over stores that existed before keywright: baseline, unmanaged objects, Pulumi imports."""
