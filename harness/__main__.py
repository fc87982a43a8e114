"""`python -m harness` is `koth`."""

from harness.cli.main import main

main()
