"""What a reader has chosen: frozen records, read from and written to the URL and the session; no widget, no result."""
