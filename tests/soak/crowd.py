"""The bots of the soak: processes that come, go, are killed and taken over."""

import os
import random
import signal
import subprocess
import sys

from tests.benchmarks.dialled import dialled_name
from tests.soak.arena import BOTS
from tests.sources import ROOT

END_SECONDS = 20.0


class Crowd:
    """One process for each bot most of the time, and what happens to them."""

    def __init__(self, address: str, chance: random.Random) -> None:
        self.address = address
        self.chance = chance
        self.acts: dict[str, int] = {}
        self._processes: dict[str, list[subprocess.Popen[bytes]]] = {}
        self._instances: dict[str, int] = {}
        self._back: list[tuple[float, str]] = []

    def begin(self) -> None:
        """Start every bot."""
        for name in map(dialled_name, range(BOTS)):
            self._instances[name] = 0
            self._start(name)

    def act(self, now: float) -> None:
        """Let one thing happen to one bot, and those come back whose time it is."""
        for when, name in [entry for entry in self._back if entry[0] <= now]:
            self._back.remove((when, name))
            self._start(name)
        away = {name for _, name in self._back}
        name = self.chance.choice(sorted(self._instances.keys() - away))
        act = self.chance.choice(
            ["kill", "kill", "kill and wait", "leave", "take over", "new session"]
        )
        self.acts[act] = self.acts.get(act, 0) + 1
        if act.startswith("kill"):
            self._end(name, signal.SIGKILL)
        elif act == "leave":
            self._end(name, signal.SIGTERM)
        elif act == "new session":
            self._end(name, signal.SIGTERM)
            self._instances[name] += 1
        if act in ("kill and wait", "leave"):
            self._back.append((now + self.chance.uniform(1, 10), name))
        else:
            self._start(name)

    def end(self) -> None:
        """End every bot for good."""
        self._back.clear()
        for name in self._processes:
            self._end(name, signal.SIGTERM)

    def _start(self, name: str) -> None:
        environment = os.environ | {
            "HEARTS_ARENA": self.address,
            "HEARTS_TOKEN": name,
            "GRPC_VERBOSITY": "NONE",
            "PYTHONPATH": f"{ROOT}:{ROOT / 'clients/python'}",
        }
        instance = str(self._instances[name])
        running = self._processes.setdefault(name, [])
        # One that was taken over ends by itself.
        running[:] = [process for process in running if process.poll() is None]
        running.append(
            subprocess.Popen(
                [sys.executable, "-m", "tests.soak.bot", instance],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )

    def _end(self, name: str, number: signal.Signals) -> None:
        processes = self._processes.get(name, [])
        for process in processes:
            process.send_signal(number)
        for process in processes:
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        processes.clear()
