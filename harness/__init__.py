"""koth: a King-of-the-Hill arena for card-game bots."""

__version__ = "0.1.0"
