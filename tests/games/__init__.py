"""Tests of the games: their compiled rules, what bots see, transcripts."""
