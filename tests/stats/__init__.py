"""Whether what ratings claim of themselves is true: thousands of simulated leagues."""
