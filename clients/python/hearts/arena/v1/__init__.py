"""Generated from `proto/hearts/arena/v1`."""
