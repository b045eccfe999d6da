"""What a reader keeps: trees by name, uses of the test set, and letters that hold trees in a link."""
