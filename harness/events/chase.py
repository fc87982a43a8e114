"""The hunting itself: a thread per core, each with one bot's process after another.

The threads mostly wait for their bots. What these hand over they judge under a lock, and so they
know who is to hunt next; the ledger, and whatever is shown, is left to the caller's thread.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

from harness.arena.faults import EXCEPTION, PROTOCOL, SLOW_START, START, TIMEOUT, HarnessFault
from harness.arena.seat import Seat
from harness.events.hunt import Haul, Hunt, Leash
from harness.games import frames
from harness.games.camicia.frames import MOST_DEALS, QUESTIONS, decode
from harness.hunt_ledger import HuntLedger, Slice
from harness.sandbox.isolation import Layers
from harness.sandbox.nursery import Nursery
from harness.sandbox.process import StartFailure

_STORE_SECONDS = 1.0
"""Between two transactions; a kill costs no more than what was found since the last one."""
_IDLE_SECONDS = 0.1
_RESTARTS = 3
"""How often in a row a stretch may end by a fault of ours."""

OnSlice = Callable[[Slice], None]


class Chase:
    """Hunts until nothing is left to be hunted. `run` once."""

    def __init__(self, hunt: Hunt, ledger: HuntLedger, layers: Layers, cores: list[int]) -> None:
        self._hunt, self._ledger, self._layers, self._cores = hunt, ledger, layers, cores
        self._running: dict[int, Leash] = {}
        """By core's place in the list."""
        self.lock = threading.Lock()
        """Held while the hunt changes, and while `on_slice` and `idle` are called."""
        self._slices: queue.SimpleQueue[Slice | BaseException | None] = queue.SimpleQueue()
        self._nurseries = [Nursery(hunt.config.game, layers, core) for core in cores]
        self._stopping = False
        self._pending: list[Slice] = []

    def run(self, on_slice: OnSlice, idle: Callable[[], None]) -> None:
        """Hunt. `on_slice`: called with everything that came in; `idle`: ten times a second.

        Raises HarnessFault for a fault of ours. Whatever ends it, what came in is stored.
        """
        # A zygote dies with the thread that started it, and so do the bots.
        threads = [
            threading.Thread(target=self._work, args=(place,), daemon=True)
            for place in range(len(self._cores))
        ]
        for thread in threads:
            thread.start()
        try:
            self._collect(len(threads), on_slice, idle)
        finally:
            self._stopping = True
            for nursery in self._nurseries:
                nursery.close()
            self._store()
            for thread in threads:
                thread.join(timeout=10)

    def _collect(self, working: int, on_slice: OnSlice, idle: Callable[[], None]) -> None:
        stored = time.monotonic()
        while working:
            try:
                came = self._slices.get(timeout=_IDLE_SECONDS)
            except queue.Empty:
                pass
            else:
                if isinstance(came, BaseException):
                    raise came
                if came is None:
                    working -= 1
                else:
                    self._pending.append(came)
                    with self.lock:
                        on_slice(came)
            if time.monotonic() - stored > _STORE_SECONDS:
                self._store()
                stored = time.monotonic()
            with self.lock:
                idle()

    def _store(self) -> None:
        if self._pending:
            self._ledger.store(self._pending)
            self._pending = []

    # -- in the threads --------------------------------------------------------------------

    def _work(self, place: int) -> None:
        try:
            faults = 0
            while not self._stopping and (leash := self._next(place)) is not None:
                try:
                    self._chase(self._nurseries[place], leash)
                    faults = 0
                except HarnessFault:
                    # A hunt of weeks should survive the system killing a process of ours.
                    faults += 1
                    if self._stopping or faults > _RESTARTS:
                        raise
                    self._nurseries[place].close()  # the next bot gets a new zygote
            self._slices.put(None)
        except BaseException as error:  # noqa: BLE001 (whatever it is, the other thread raises it)
            if not self._stopping:  # then the zygote has been taken away
                self._slices.put(error)

    def _next(self, place: int) -> Leash | None:
        with self.lock:
            self._running.pop(place, None)
            leash = self._hunt.next(self._running.values())
            if leash is not None:
                self._running[place] = leash
            return leash

    def _chase(self, nursery: Nursery, leash: Leash) -> None:
        """Hunt one stretch with a process of its own."""
        entrant, budgets = leash.entrant, self._hunt.config.budgets
        seat = Seat(
            nursery,
            entrant.game,
            QUESTIONS,
            entrant.path,
            numpy=entrant.numpy,
            batch=False,
            seed=self._hunt.seed(leash),
            lanes=1,
            fresh=False,
            budgets=budgets,
        )
        try:
            try:
                seat.wait_ready()
            except StartFailure as failure:
                kind = SLOW_START if failure.kind == TIMEOUT else START
                detail = f"{failure.reason}\n{failure.traceback}".strip()
                self._report(Haul(entrant.name, leash.number, 0.0, 0, [], fault=(kind, detail)))
                return
            tried = 0
            while not self._stopping:
                haul = self._slice(seat, leash, tried)
                tried = haul.tried
                self._report(haul)
                if haul.over or haul.fault is not None or haul.cpu >= leash.seconds:
                    return
        finally:
            if not self._stopping:
                seat.close()

    def _report(self, haul: Haul) -> None:
        with self.lock:
            self._slices.put(self._hunt.take(haul))

    def _slice(self, seat: Seat, leash: Leash, tried: int) -> Haul:
        """Ask the bot's process for one slice."""
        config, bot = self._hunt.config, leash.entrant.name
        left = max(leash.seconds - seat.cpu_used, 0.0)
        request = seat.observations[0]
        request["milliseconds"] = max(1, round(1000 * min(config.slice_seconds, left)))
        request["most"] = MOST_DEALS
        # Whoever does not yield in time is ended for that, not for the budget it overdraws.
        broken = seat.ask(0, 1, left + 2 * config.budgets.decision_seconds)
        cpu = seat.cpu_used
        if broken is not None:
            return Haul(bot, leash.number, cpu, tried, [], fault=(broken.kind, broken.detail))
        reply = seat.replies(0, 1)[0]
        code = int(reply["code"])
        if code < 0:
            kind = EXCEPTION if code == frames.EXCEPTION else PROTOCOL
            detail = seat.tracebacks().get(0, "it sent what no bot should")
            return Haul(bot, leash.number, cpu, tried, [], fault=(kind, detail))
        deals, now_tried, over = decode(reply)
        return Haul(bot, leash.number, cpu, now_tried, deals, over)
