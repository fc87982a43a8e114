"""The arena: deals, lanes in lockstep, the bots' seats and the block that puts them together."""
