"""Which class to predict from which probability on: curves over all thresholds of one class, and cutoffs of several."""
