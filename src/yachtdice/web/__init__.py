"""The table in the browser: pages, live updates and an HTTP API over `yachtdice.play`."""
