"""The command `koth`, end to end: real processes, small games, bots written by the tests."""
