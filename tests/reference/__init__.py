"""The package beside its peers: numbers recorded from books, R, Weka and an independent solver, and scikit-learn."""
