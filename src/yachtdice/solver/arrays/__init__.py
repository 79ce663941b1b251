"""The game as arrays: rolls, keeps, states and whole turns at once."""
