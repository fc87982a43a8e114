"""A hunt: who hunts, for how long, and what of the catch counts.

A bot's CPU seconds are hunted in *stretches*, a process each, so that several cores can work for
one bot, and so that a killed hunt goes on with fresh processes. A process is asked for *slices*,
about a second each. Nothing that a bot says of a deal counts: every one is played by the harness.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from harness import __version__
from harness.arena.deals import derive
from harness.arena.faults import RETIRING
from harness.config import HuntConfig
from harness.entrants import Entrant
from harness.errors import UserError
from harness.games.camicia.deals import DealError, contest_deal
from harness.games.camicia.engine import simulate
from harness.hunt_ledger import Fault, Find, Foreign, HuntLedger, Slice, Stretch

_REJECTED_KEPT = 5
"""Rejected deals kept as examples, per bot."""


@dataclass(frozen=True)
class Leash:
    """One stretch to be hunted."""

    entrant: Entrant
    number: int
    seconds: float
    """Of CPU."""


@dataclass(frozen=True)
class Haul:
    """What one slice of a bot's process brought; `deals`, `tried`, `over` are the bot's words."""

    bot: str
    number: int
    """Of the stretch."""
    cpu: float
    """CPU seconds of the stretch so far."""
    tried: int
    """In the stretch so far."""
    deals: list[str]
    over: bool = False
    """Its `hunt` has returned."""
    fault: tuple[str, str] | None = None
    """Kind and detail of what ended the process."""


class Hunt:
    """A hunt and all that is known of it; `take` what comes in."""

    def __init__(
        self, config: HuntConfig, entrants: Sequence[Entrant], facts: dict[str, Any], level: str
    ) -> None:
        """`facts`: the ledger's, with `secret` and `source`; `level`: the sandbox's."""
        self.config, self.level = config, level
        self.entrants = sorted(entrants, key=lambda entrant: entrant.name)
        self.secret, self.source = bytes.fromhex(facts["secret"]), str(facts["source"])
        self.known: dict[str, dict[str, str]] = {
            **{entrant["name"]: entrant for entrant in facts.get("entrants", ())},
            **{e.name: _entrant_facts(e) for e in self.entrants},
        }
        """Whoever has hunted, on any machine: name, author, file, hash, by name."""
        self.stretches: dict[tuple[str, str, int], Stretch] = {}
        self.finds: dict[str, dict[str, Find]] = {name: {} for name in self.known}
        """By bot and deal."""
        self.faults: list[Fault] = []
        self.rejected: list[tuple[str, str, str, str]] = []
        """(source, bot, deal, reason) of some."""

    def facts(self) -> dict[str, Any]:
        """What the ledger keeps about the hunt."""
        return {
            "version": __version__,
            "config": self.config.model_dump(mode="json"),
            "entrants": list(self.known.values()),
            "sandbox": self.level,
            "secret": self.secret.hex(),
            "source": self.source,
        }

    def learn(self, ledger: HuntLedger) -> None:
        """Take over what is in the ledger."""
        self.stretches = {(s.source, s.bot, s.number): s for s in ledger.stretches()}
        for find in ledger.finds():
            self.finds.setdefault(find.bot, {})[find.deal] = find
        self.faults = ledger.faults()
        self.rejected = ledger.rejected()

    # -- who hunts next --------------------------------------------------------------------

    def retired(self, bot: str) -> str | None:
        """The kind of fault that keeps a bot from hunting on, on this machine."""
        own = [f.kind for f in self.faults if f.bot == bot and f.source == self.source]
        for kind in own:
            if kind in RETIRING:
                return kind
        return own[-1] if len(own) > self.config.budgets.max_faults else None

    def seconds_used(self, bot: str) -> float:
        """CPU seconds it has hunted on this machine."""
        return sum(s.cpu for s in self.stretches.values() if (s.source, s.bot) == self._own(bot))

    def _own(self, bot: str) -> tuple[str, str]:
        return self.source, bot

    @property
    def seconds_left(self) -> float:
        """CPU seconds still to be hunted here, by all bots."""
        return sum(self._left(entrant.name) for entrant in self.entrants)

    def _left(self, bot: str) -> float:
        over = any(s.over for s in self.stretches.values() if (s.source, s.bot) == self._own(bot))
        if over or self.retired(bot) is not None:
            return 0.0
        return max(0.0, self.config.seconds - self.seconds_used(bot))

    def next(self, running: Iterable[Leash]) -> Leash | None:
        """The next stretch, of whoever has most left; `running`: what is being hunted just now."""
        promised: dict[str, float] = {}
        numbers: dict[str, int] = {}
        for leash in running:
            bot = leash.entrant.name
            key = (self.source, bot, leash.number)
            used = self.stretches[key].cpu if key in self.stretches else 0.0
            promised[bot] = promised.get(bot, 0.0) + max(0.0, leash.seconds - used)
            numbers[bot] = max(numbers.get(bot, 0), leash.number + 1)
        left = {e.name: self._left(e.name) - promised.get(e.name, 0.0) for e in self.entrants}
        entrant = max(self.entrants, key=lambda e: left[e.name])
        seconds = left[entrant.name]
        # What is less than half a slice is not worth a process.
        if seconds < min(self.config.slice_seconds, self.config.seconds) / 2:
            return None
        own = [
            s.number + 1
            for s in self.stretches.values()
            if (s.source, s.bot) == self._own(entrant.name)
        ]
        number = max([numbers.get(entrant.name, 0), *own])
        return Leash(entrant, number, min(seconds, self.config.stretch_seconds))

    def seed(self, leash: Leash) -> str:
        """What the random generators of the stretch derive from; no two stretches share it."""
        return derive(self.secret, "hunt", self.source, leash.entrant.name, leash.number).hex()

    # -- what comes in ---------------------------------------------------------------------

    def take(self, haul: Haul) -> Slice:
        """Judge what a slice brought, and remember it; returns what to store."""
        key = (self.source, haul.bot, haul.number)
        stretch = self.stretches.get(key) or Stretch(*key)
        counts = {"yielded": len(haul.deals), "equivalent": 0, "rejected": 0, "loops": 0}
        found: list[Find] = []
        forgotten: list[Find] = []
        rejected: list[tuple[str, str, str, str]] = []
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        cpu = self.seconds_used(haul.bot) - stretch.cpu + haul.cpu
        for text in haul.deals:
            try:
                deal = contest_deal(text)
            except DealError as error:
                counts["rejected"] += 1
                rejected += self._example(haul.bot, text, str(error))
                continue
            if deal in self.finds[haul.bot]:
                counts["equivalent"] += 1
                continue
            status, cards, tricks = simulate(*deal.split("/"))
            if status != "finished":
                counts["loops"] += 1
                continue
            find = Find(haul.bot, deal, cards, tricks, now, round(cpu, 3), self.source)
            dropped = self._keep(find)
            if dropped is not find:
                found.append(find)
                forgotten += [] if dropped is None else [dropped]
        stretch = replace(
            stretch,
            cpu=round(haul.cpu, 6),
            tried=haul.tried,
            over=int(haul.over),
            **{name: getattr(stretch, name) + number for name, number in counts.items()},
        )
        self.stretches[key] = stretch
        faults = [] if haul.fault is None else [Fault(*key, *haul.fault)]
        self.faults += faults
        return Slice(stretch, found, forgotten, rejected, faults)

    def _example(self, bot: str, text: str, reason: str) -> list[tuple[str, str, str, str]]:
        row = (self.source, bot, text, reason)
        if row in self.rejected or sum(r[1] == bot for r in self.rejected) >= _REJECTED_KEPT:
            return []
        self.rejected.append(row)
        return [row]

    def _keep(self, find: Find) -> Find | None:
        """Keep a find if it is long enough; returns what is not kept for that, maybe itself."""
        kept = self.finds[find.bot]
        kept[find.deal] = find
        if len(kept) <= self.config.keep:
            return None
        worst = max(kept.values(), key=lambda one: one.order)
        del kept[worst.deal]
        return worst

    # -- what has come of it ---------------------------------------------------------------

    def best(self, bot: str) -> Find | None:
        """The longest game a bot has found."""
        return min(self.finds[bot].values(), key=lambda find: find.order, default=None)

    def longest(self) -> list[Find]:
        """Everybody's finds, the best first; of a deal that several have found, the first."""
        first: dict[str, Find] = {}
        every = (find for finds in self.finds.values() for find in finds.values())
        for find in sorted(every, key=lambda find: find.order):
            first.setdefault(find.deal, find)
        return list(first.values())

    def merge(self, other: Foreign, name: str, ledger: HuntLedger) -> None:
        """Take over another machine's ledger, called `name` in errors, and store it in this one.

        Raises UserError, and changes nothing, if the bots there are not these bots, or if a game
        there is not what it is said to be.
        """
        for there in other.event.get("entrants", ()):
            here = self.known.get(there["name"])
            if here is not None and here["hash"] != there["hash"]:
                raise UserError(
                    f"{name}: its {there['name']} is another one than here (the file differs)"
                )
        known = {e["name"]: e for e in other.event.get("entrants", ())} | self.known
        finds: dict[str, list[Find]] = {bot: list(f.values()) for bot, f in self.finds.items()}
        for find in other.finds:
            if (wrong := doubt(find.deal, find.cards, find.tricks)) is not None:
                raise UserError(f"{name}: {wrong}")
            if find.bot not in known:
                raise UserError(
                    f"{name}: {find.bot!r} has found something, but is none of its bots"
                )
            finds.setdefault(find.bot, []).append(find)
        self.known = known
        for row in other.stretches:
            mine = self.stretches.get((row.source, row.bot, row.number))
            if row.source != self.source and (mine is None or mine.cpu < row.cpu):
                self.stretches[row.source, row.bot, row.number] = row
        self.finds = {}
        for bot in known:
            kept: dict[str, Find] = {}
            for find in sorted(finds.get(bot, ()), key=lambda find: find.order):
                if len(kept) < self.config.keep:
                    kept.setdefault(find.deal, find)
            self.finds[bot] = kept
        every = [find for kept in self.finds.values() for find in kept.values()]
        ledger.replace(self.stretches.values(), every, other)
        ledger.change_event({"entrants": list(self.known.values())})
        self.learn(ledger)


def doubt(deal: str, cards: int, tricks: int) -> str | None:
    """What is wrong with the claim that a deal ends after so many cards and tricks, if anything."""
    try:
        played = simulate(*contest_deal(deal).split("/"))
    except DealError as error:
        return f"{deal!r} is no deal: {error}"
    if played != ("finished", cards, tricks):
        return (
            f"{deal} is said to end after {cards} cards and {tricks} tricks; played, it comes to "
            f"{played[0]}, {played[1]} and {played[2]}"
        )
    return None


def _entrant_facts(entrant: Entrant) -> dict[str, str]:
    return {key: getattr(entrant, key) for key in ("name", "author", "file", "hash")}


def same_hunt(stored: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    """Why a stored hunt cannot be gone on with, as sentences. It may always be made longer."""
    differences = []
    for key, value in wanted["config"].items():
        if key not in ("seconds", "entrants") and stored["config"].get(key) != value:
            differences.append(f"{key}: there {stored['config'].get(key)!r}, here {value!r}")
    for key in ("sandbox", "version"):
        if stored[key] != wanted[key]:
            differences.append(f"{key}: there {stored[key]!r}, here {wanted[key]!r}")
    there = {entrant["name"]: entrant["hash"] for entrant in stored["entrants"]}
    differences += [
        f"the file of {entrant['name']} has changed"
        for entrant in wanted["entrants"]
        if there.get(entrant["name"], entrant["hash"]) != entrant["hash"]
    ]
    return differences
