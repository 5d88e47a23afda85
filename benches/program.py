"""What the scripts of this folder share: the program under test, libraries of CUDA, and tables on a terminal."""

from __future__ import annotations

import ctypes
import ctypes.util
import glob
import json
import math
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

# Seconds of work before times count: a GPU at rest lowers its clocks.
WAKE_UP = 1.0
# Microseconds between two events at least, so that their own cost is shared by several runs.
SAMPLE_MICROS = 3_000.0
MOST_RUNS = 64


class Failure(Exception):
    """One line on what went wrong."""


@dataclass(frozen=True)
class Case:
    """What `papillon bench` told of one size, in microseconds of kernels."""

    columns: int
    micros: float
    # A plain copy of what has to be read and written, where the device can tell.
    copy_micros: float | None
    launches: int | None
    # Relative error, or of a system the relative residual.
    error: float


def found_program() -> str:
    """The program that was built here, or the one that is installed."""
    built = ROOT / "target" / "release" / "papillon"
    return str(built) if built.is_file() else shutil.which("papillon") or str(built)


def cuda_library(name: str) -> ctypes.CDLL:
    """A library of CUDA, wherever it was installed."""
    found = [ctypes.util.find_library(name)] if ctypes.util.find_library(name) else []
    for folder in ["/usr/local/cuda*/lib64", "/usr/lib/x86_64-linux-gnu", *(f"{path}/nvidia/*/lib" for path in sys.path if path)]:
        found += sorted(glob.glob(f"{folder}/lib{name}.so*"))
    if not found:
        raise Failure(f"there is no lib{name}: install CUDA's libraries")
    return ctypes.CDLL(found[0])


class Papillon:
    """The program under test."""

    def __init__(self, program: str, device: str, repeat: int, folder: Path) -> None:
        self.program, self.device, self.repeat, self.folder = program, device, repeat, folder

    def _run(self, *words: str) -> str:
        try:
            done = subprocess.run([self.program, *words], capture_output=True, text=True, check=False)
        except OSError as error:
            raise Failure(f"{self.program} does not run: {error.strerror}") from error
        if done.returncode != 0:
            told = done.stderr.strip().splitlines()
            raise Failure(told[-1] if told else f"{self.program} {words[0]} ended with {done.returncode}")
        return done.stdout

    def transforms(self) -> set[str]:
        """Names of all transforms."""
        return {row["name"] for row in json.loads(self._run("list", "--json"))}

    def record(self, transform: str, sizes: str, *options: str) -> dict[str, Any]:
        """The record of some sizes."""
        output = self.folder / "bench.json"
        self._run("bench", "-t", transform, "--sizes", sizes, "-d", self.device, *options, "-o", str(output))
        return json.loads(output.read_text())

    def bench(self, transform: str, sizes: str, *options: str) -> list[Case]:
        """Times at some sizes, in their order."""
        record = self.record(transform, sizes, "--repeat", str(self.repeat), *options)
        return [case(measured) for measured in record["measurements"]]

    def solve(self, rows: Sequence[Sequence[float]], *options: str) -> list[float]:
        """The solution of a tridiagonal system, whose rows are a, b, c, d."""
        source, result = self.folder / "rows.csv", self.folder / "solution.csv"
        source.write_text("".join(",".join(map(repr, row)) + "\n" for row in rows))
        self._run("solve", str(source), "-d", self.device, *options, "-o", str(result))
        return [float(line) for line in result.read_text().splitlines()[1:]]

    def transform(self, samples: Any, transform: str) -> Any:
        """The transform of a numpy array, as one."""
        import numpy as np

        source, result = self.folder / "samples.npy", self.folder / "result.npy"
        np.save(source, samples)
        self._run("transform", str(source), "-t", transform, "-d", self.device, "-o", str(result))
        return np.load(result)


def case(measured: dict[str, Any]) -> Case:
    """One measurement of a record."""
    runs = [micros for samples in measured["kernel_micros"] for micros in samples]
    return Case(
        measured["shape"]["columns"], statistics.median(runs), measured["copy_micros"], measured["n_launches"], measured["error"]
    )


def replayed(graph_of: Callable[[int], Any], timed: Callable[[Any], float], repeat: int) -> list[float]:
    """Replays a CUDA graph of as many runs as fill a sample until the clocks are up, and then `repeat` times; microseconds of one run.

    `timed` replays a graph twice and times the second replay: the host queues it while the first one runs, so that its launch is in no time.
    """
    single = graph_of(1)
    begin, shortest = time.monotonic(), math.inf
    while time.monotonic() - begin < WAKE_UP:
        shortest = min(shortest, timed(single))
    runs = max(1, min(MOST_RUNS, math.ceil(SAMPLE_MICROS / shortest)))
    graph = graph_of(runs)
    timed(graph)
    return [timed(graph) / runs for _ in range(repeat)]


def by_torch(torch: Any, run: Callable[[], Any]) -> tuple[Callable[[int], Any], Callable[[Any], float]]:
    """What `replayed` needs of torch: a CUDA graph of several runs, and the microseconds of the second of two replays."""

    def graph_of(runs: int) -> Any:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(runs):
                run()
        return graph

    def timed(graph: Any) -> float:
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        graph.replay()
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        return float(start.elapsed_time(end)) * 1e3

    return graph_of, timed


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns, the first of them to the left and all others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) if column == 0 else cell.rjust(width) for column, (cell, width) in enumerate(zip(row, widths)))
        for row in rows
    )
