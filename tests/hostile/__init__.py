"""Clients that mean harm, and an arena with a league that must not notice them."""
