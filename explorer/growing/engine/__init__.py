"""The fast loops: everything that is compiled."""
