"""Reports, statistics and rules as lines of text."""
