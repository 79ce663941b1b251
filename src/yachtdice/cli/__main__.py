"""`python -m yachtdice.cli` is `yacht`."""

from yachtdice.cli.entry import main

main()
