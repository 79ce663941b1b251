"""What every request passes before a route: limits, language, security, settings."""
