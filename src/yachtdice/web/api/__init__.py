"""The HTTP API: routes, the shapes of what goes in and out, and its OpenAPI description."""
