"""Tests of the statistics: intervals, ratings, tables."""
