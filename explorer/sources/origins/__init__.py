"""Where connected tables come from (files, DuckDB databases, Spark), and how their rows are encoded once."""
