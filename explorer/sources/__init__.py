"""Tables that stay where they are: an engine counts their rows by node, feature, value and class."""
