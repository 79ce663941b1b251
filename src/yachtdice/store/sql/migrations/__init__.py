"""How databases of earlier versions come up to this one. Alembic runs what is in `versions`."""
