"""Many trees on one data set: forests, boosting, and how stable a single tree is under resampling."""
