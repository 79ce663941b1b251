"""What several commands share: options, errors, the screen, progress."""
