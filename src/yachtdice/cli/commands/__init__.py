"""The commands of `yacht`, one module each."""
