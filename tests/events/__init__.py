"""Tests of the formats: brackets and sets."""
