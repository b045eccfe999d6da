"""The Evaluate page: scores, misclassified rows, feature importance and curves."""
