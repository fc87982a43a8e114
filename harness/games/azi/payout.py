"""Who gets what of the bank: the payout to a winner who may have paid less than others.

`settle` is the one implementation; the rules compile it, `payout` calls it as it is. Section
"Payout" of docs/games/azi.md, with its examples:

>>> payout([40, 100, 100], winner=0)
[120, 60, 60]
>>> payout([35, 100, 100, 20], winner=0)
[112, 65, 65, 13]
>>> payout([40, 100], winner=0, rule="matched")
[80, 60]
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

SCALED, MATCHED = 0, 1
PAYOUTS = ("scaled", "matched")
"""The two rules by name; the number of a rule is its place."""


def payout(contributions: Sequence[int], winner: int, rule: str = "scaled") -> list[int]:
    """What every seat gets of the bank, in chips.

    `contributions`: what each seat has paid since the bank was last empty, seat by seat clockwise,
    folded seats included; `winner`: the winner's seat, which has paid something. Raises ValueError
    where there is no such rule, seat or payment.
    """
    if rule not in PAYOUTS:
        raise ValueError(f"no payout {rule!r}; there are: {', '.join(PAYOUTS)}")
    if not 0 <= winner < len(contributions):
        raise ValueError(f"winner is seat {winner} of {len(contributions)}")
    if min(contributions) < 0 or contributions[winner] == 0:
        raise ValueError(f"{list(contributions)}: nobody pays less than 0, and the winner pays")
    shares = [0] * len(contributions)
    settle(contributions, len(contributions), winner, PAYOUTS.index(rule), shares)
    return shares


def settle(
    paid: Sequence[int], seats: int, winner: int, rule: int, shares: MutableSequence[int]
) -> None:
    """Write what each of `seats` seats gets into `shares`; `paid` are the contributions.

    The winner's part of a bank B, with c paid by itself and S the most that anybody paid, is all of
    it if c = S, and else, scaled, floor(c (B + S - c) / S); the rest goes to the others in
    proportion to what they paid, by largest remainder, of equal fractions the first one's
    clockwise from the winner. Matched, it is what the others paid up to c each, and c.
    """
    bank = 0
    most = 0
    for seat in range(seats):
        bank += paid[seat]
        most = max(most, paid[seat])
    own = paid[winner]
    if rule == MATCHED:
        for seat in range(seats):
            shares[seat] = max(0, paid[seat] - own)
            bank -= shares[seat]
        shares[winner] = bank
        return
    shares[winner] = own * (bank + most - own) // most
    rest = bank - shares[winner]
    others = bank - own
    left = rest
    for seat in range(seats):
        if seat != winner:
            shares[seat] = rest * paid[seat] // others if rest > 0 else 0
            left -= shares[seat]
    # One chip each for the largest fractions, until nothing is left; a seat gets only one.
    served = 1 << winner
    while left > 0:
        largest = -1
        chosen = winner
        for step in range(1, seats):
            seat = (winner + step) % seats
            fraction = rest * paid[seat] % others
            if not served >> seat & 1 and fraction > largest:
                largest = fraction
                chosen = seat
        shares[chosen] += 1
        served |= 1 << chosen
        left -= 1
