"""Tables and games as use cases: what happens when somebody acts, without showing anything."""
