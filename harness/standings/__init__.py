"""From results to statements: shares with intervals, ratings, tables. Pure functions."""
