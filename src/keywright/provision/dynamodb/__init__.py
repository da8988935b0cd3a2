"""Tables of DynamoDB in Pulumi programs."""
