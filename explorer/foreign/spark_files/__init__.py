"""Models of Spark ML: folders of metadata as JSON and of nodes as Parquet."""
