"""What is kept in the data directory: the database, its rows, and records."""
