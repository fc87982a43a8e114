"""Tests of the arena: deals, lanes, seats and blocks."""
