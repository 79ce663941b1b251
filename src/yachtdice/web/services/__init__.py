"""What pages wait for: the coach, win odds, training, records."""
