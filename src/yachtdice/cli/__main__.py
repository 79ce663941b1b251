"""`python -m yachtdice.cli` is `yacht`."""

from yachtdice.cli import main

main(prog_name="yacht")
