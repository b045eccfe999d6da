"""From a file's bytes to a table, and from a table to an encoded data set; knows nothing of trees."""
