"""What is wrong with models on every engine: things that compile, and hurt in production."""
