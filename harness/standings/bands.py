"""Rank bands: which ranks a bot could hold if only differences beyond chance counted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from harness.standings.intervals import Z, share_value, share_variance
from harness.standings.pairs import PairRecord

Rivals = Mapping[str, PairRecord]
"""A bot's records by rival, each seen from the bot."""


def bands(ranks: Mapping[str, int], records: Iterable[PairRecord]) -> dict[str, tuple[int, int]]:
    """Best and worst rank of every bot of `ranks`, given one record per pair at most.

    A band reaches from 1 + the number of bots ranked above this one and clearly ahead of it to the
    size of the field - the number ranked below and clearly behind: (2, 3) says that this bot and
    one neighbour are not separated. Bands may overlap: nothing may separate A from B or B from C
    and yet A from C. A band always contains the bot's own rank.
    """
    rivals: dict[str, dict[str, PairRecord]] = {name: {} for name in ranks}
    for record in records:
        rivals[record.first][record.second] = record
        rivals[record.second][record.first] = record.swapped()
    above = dict.fromkeys(ranks, 0)
    below = dict.fromkeys(ranks, 0)
    for better, rank in ranks.items():
        for worse, other in ranks.items():
            if rank < other and clearly_ahead(better, rivals[better], worse, rivals[worse]):
                below[better] += 1
                above[worse] += 1
    return {name: (1 + above[name], len(ranks) - below[name]) for name in ranks}


def clearly_ahead(one: str, ones: Rivals, two: str, twos: Rivals) -> bool:
    """Whether `one` has the larger overall share at 95 %: difference > z standard errors.

    The difference is a sum over pairings, which are independent (each has its own deals). A third
    bot's pairings add the variance of each share, weighed with its part of the bot's deals. The
    direct encounter is in both shares, what one wins the other loses, so its weights add up before
    they are squared: Var = sum_k (a_k^2 Var_1k) + sum_k (b_k^2 Var_2k) + (a + b)^2 Var_12.
    It is a test of one pair, not corrected for how many pairs a table has.
    """
    deals_one = sum(record.deals for record in ones.values())
    deals_two = sum(record.deals for record in twos.values())
    if not deals_one or not deals_two:
        return False
    terms = [
        (record.deals / deals) ** 2 * share_variance(record)
        for rivals, deals, skipped in ((ones, deals_one, two), (twos, deals_two, one))
        for rival, record in rivals.items()
        if rival != skipped
    ]
    if two in ones:
        direct = ones[two]
        weight = direct.deals / deals_one + direct.deals / deals_two
        terms.append(weight**2 * share_variance(direct))
    difference = share_value(ones.values()) - share_value(twos.values())
    return difference > Z * math.sqrt(math.fsum(terms))
