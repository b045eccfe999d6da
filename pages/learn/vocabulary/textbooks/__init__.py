"""Where textbooks differ, what chance does, and numbers that are printed wrong."""
