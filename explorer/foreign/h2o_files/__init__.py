"""Models of H2O, written by a snippet over H2OTree."""
