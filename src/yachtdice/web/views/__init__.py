"""What the pages show, as frozen values that the templates render."""
