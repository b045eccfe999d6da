"""What is run from a shell: a tree on a file without a browser, and the app."""
