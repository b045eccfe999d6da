"""Growing beside rpart (R) and J48 (Weka): their programs, and `python -m tests.benchmarks.peers`."""
