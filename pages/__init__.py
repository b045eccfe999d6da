"""The app's pages: each one chooses, calls and shows."""
