"""Rules of DynamoDB: a file each, named as the rule."""
