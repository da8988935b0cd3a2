"""What becomes of readers of version 1."""

CASES = [
    (
        {"_id": "r1", "mail": "ada@example.org", "full_name": "Ada Lovelace"},
        {"_id": "r1", "email": "ada@example.org", "first_name": "Ada", "last_name": "Lovelace", "tier": "free"},
    ),
    (
        {"_id": "r2", "mail": "prince@example.org", "full_name": "Prince"},
        {"_id": "r2", "email": "prince@example.org", "first_name": "Prince", "last_name": "", "tier": "free"},
    ),
]
