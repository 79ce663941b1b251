"""`python -m yachtdice` is `yacht`."""

from yachtdice.cli.entry import main

main()
