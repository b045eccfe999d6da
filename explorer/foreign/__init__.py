"""Models of other programs, one reader for each format, as trees that predict what the library predicts."""
