"""A game at one keyboard: what is typed, asked and shown."""
