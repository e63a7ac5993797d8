"""The production host under a seeded simulator on a virtual clock."""
