"""Numbers → codes, by compiled loops."""
