"""Trees that a reader keeps by name, and letters that hold them in a link."""
