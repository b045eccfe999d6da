"""The package called for the settings and cached under a key of their content; no widget."""
