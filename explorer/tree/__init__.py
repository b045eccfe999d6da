"""The grown tree as a value: its arrays, nodes, routing of rows, metrics and serialised form."""
