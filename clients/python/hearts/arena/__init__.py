"""Generated from `proto/hearts/arena`."""
