"""Real processes on free ports: the parts fit together."""
