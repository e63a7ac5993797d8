"""Bots that the arena starts itself: in sandboxes, guarded, held to limits."""
