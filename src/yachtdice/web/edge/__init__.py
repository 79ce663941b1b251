"""What stands between the network and the pages: limits, language, security, settings."""
