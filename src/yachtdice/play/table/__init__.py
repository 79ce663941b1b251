"""A table as a value: its events, the actions asked for, and what they lead to."""
