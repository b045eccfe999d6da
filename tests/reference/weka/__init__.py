"""Recording what Weka's J48 (C4.5) does, and reading the recordings."""
