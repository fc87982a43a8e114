"""Hostile bots: what they try, and that nobody but themselves pays for it.

`attempts/` are tiny acts against the sandbox, each a bot of its own; the other files hold bots that
attack the arena, other bots, or whoever reads the results.
"""
