"""The Predict page: the prediction for one row or a file, its decision path and what would change it."""
