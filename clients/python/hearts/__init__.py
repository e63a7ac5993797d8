"""The Python SDK of Hearts Arena."""
