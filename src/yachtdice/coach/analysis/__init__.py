"""A game and perfect play made into reports and statistics."""
