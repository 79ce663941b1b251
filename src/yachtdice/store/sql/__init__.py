"""Streams of events in SQLite or PostgreSQL."""
