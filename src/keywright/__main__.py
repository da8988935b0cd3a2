"""`python -m keywright`."""

from keywright.cli.main import main

main()
