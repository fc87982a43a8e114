"""From a ledger to files people read: leaderboards in Markdown and JSON, timing, faults, an index.

`leaderboard.json` comes first: a document of plain data (`document`). `leaderboard.md` is a
template filled from it, so that both hold the same numbers, and neither holds anything that changes
from run to run.
"""
