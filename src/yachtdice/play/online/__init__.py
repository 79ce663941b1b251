"""Tables that are live in a server: loaded, shared, kept and moved by bots."""
