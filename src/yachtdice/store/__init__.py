"""Where games are kept: one file a game for the terminal, a database for the web."""
