"""An arena under full load for a long time, while bots come, go and are killed."""
