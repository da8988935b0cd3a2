"""The data model of the city's public transport."""
