"""The formats of an event: who meets whom next, given the results so far."""
