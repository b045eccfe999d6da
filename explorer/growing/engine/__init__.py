"""The loops that grow every table: a node's competition, its split, and all nodes below it."""
