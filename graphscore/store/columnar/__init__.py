"""The way out in columns: views as batches of Arrow, and as files of Parquet."""
