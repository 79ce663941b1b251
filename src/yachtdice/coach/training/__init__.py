"""Exercises, and when each comes back."""
