"""What the boosting methods share: losses, values of all nodes at once, and what every round began with."""
