"""Bots in other languages: the protocol, the sandbox around a program, builds, the examples."""
