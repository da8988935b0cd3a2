"""The intermediate representation: what a project declares, as plain frozen data of the standard library."""
