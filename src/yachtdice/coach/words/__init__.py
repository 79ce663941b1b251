"""The words and sentences of the coach, in the active language."""
