"""Access matrix, and proofs of access patterns on scratch stores."""
