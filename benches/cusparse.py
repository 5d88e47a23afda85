#!/usr/bin/env python3
"""Papillon beside cuSPARSE on one GPU: one tridiagonal system with a dominant diagonal, in single precision.

    python3 benches/cusparse.py [PAPILLON]

It needs a CUDA GPU that Vulkan sees too, and the libraries of CUDA: libcudart and libcusparse. PAPILLON is target/release/papillon without a word on it.
cuSPARSE solves by gtsv2_nopivot, which reduces as Papillon does. A CUDA graph of several solutions is replayed until the clocks are up, and then between two events, behind a replay that does not count.
Papillon times itself (`papillon bench -t tridiagonal`): kernels by the clock of the device, run after run, on the same buffers again and again; it tells its relative residual.
Before that, both solve the same system, and their solutions must agree.

The exit code is 0 when all was measured and agrees, 1 when something failed or disagrees.
"""

from __future__ import annotations

import ctypes
import math
import random
import statistics
import sys
import tempfile
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

from program import Failure, Papillon, cuda_library, found_program, replayed, table

SIZES = [16, 18, 20, 22, 24]
REPEAT = 9
# The diagonal, beside numbers from −1 to 1.
DIAGONAL = 3.0
# Two solutions in single precision.
AGREEMENT = 2e-6
AGREEING = 1 << 14

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
# Only what this thread does is captured.
CAPTURE_MODE = 1


class System:
    """The arrays of a system, as cuSPARSE takes them."""

    def __init__(self, n: int) -> None:
        noise = array("f", (random.uniform(-1, 1) for _ in range(min(n, 4096))))

        def repeated(values: array[float]) -> array[float]:
            return array("f", values.tobytes() * (n // len(values)))

        self.lower, self.middle, self.upper = repeated(noise), repeated(array("f", [DIAGONAL])), repeated(noise)
        self.right = repeated(array("f", (random.uniform(-1, 1) for _ in noise)))
        self.lower[0] = self.upper[-1] = 0.0

    def arrays(self) -> list[array[float]]:
        """Below the diagonal, the diagonal, above it, the right-hand side."""
        return [self.lower, self.middle, self.upper, self.right]


class CuSparse:
    """gtsv2_nopivot, called as it is."""

    def __init__(self) -> None:
        self.libraries = {"cuda": cuda_library("cudart"), "cusparse": cuda_library("cusparse")}
        self.handle, self.stream = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cusparseCreate", ctypes.byref(self.handle))
        self.call("cudaStreamCreate", ctypes.byref(self.stream))
        self.call("cusparseSetStream", self.handle, self.stream)

    def call(self, name: str, *arguments: Any) -> None:
        """Calls a function of CUDA or cuSPARSE, which gives 0 where it succeeds."""
        where = self.libraries["cusparse" if name.startswith("cusparse") else "cuda"]
        code = getattr(where, name)(*arguments)
        if code != 0:
            raise Failure(f"{name} failed with {code}")

    def allocated(self, n_bytes: int) -> ctypes.c_void_p:
        """Memory of the device."""
        place = ctypes.c_void_p()
        self.call("cudaMalloc", ctypes.byref(place), ctypes.c_size_t(n_bytes))
        return place

    def copy(self, to: ctypes.c_void_p, of: ctypes.c_void_p, n_values: int, direction: int) -> None:
        """Between the host and the device."""
        self.call("cudaMemcpy", to, of, ctypes.c_size_t(4 * n_values), ctypes.c_int(direction))

    def with_system(self, system: System, then: Callable[[Callable[[], None], ctypes.c_void_p], Any]) -> Any:
        """Calls `then` with what solves the system once more, and where the solution lies, in place of the right-hand side."""
        n = len(system.middle)
        places = [self.allocated(4 * n) for _ in range(4)]
        for place, values in zip(places, system.arrays()):
            self.copy(place, ctypes.c_void_p(values.buffer_info()[0]), n, HOST_TO_DEVICE)
        size = ctypes.c_size_t()
        arguments = [self.handle, ctypes.c_int(n), ctypes.c_int(1), *places, ctypes.c_int(n)]
        self.call("cusparseSgtsv2_nopivot_bufferSizeExt", *arguments, ctypes.byref(size))
        buffer = self.allocated(max(size.value, 1))
        found = then(lambda: self.call("cusparseSgtsv2_nopivot", *arguments, buffer), places[3])
        for place in [*places, buffer]:
            self.call("cudaFree", place)
        return found

    def solution(self, system: System) -> array[float]:
        """What solves the system."""
        found = array("f", system.right)

        def solve(run: Callable[[], None], place: ctypes.c_void_p) -> None:
            run()
            self.call("cudaStreamSynchronize", self.stream)
            self.copy(ctypes.c_void_p(found.buffer_info()[0]), place, len(found), DEVICE_TO_HOST)

        self.with_system(system, solve)
        return found

    def micros(self, system: System) -> float:
        """Median microseconds of one solution; the times do not depend on the numbers."""
        events = [ctypes.c_void_p(), ctypes.c_void_p()]
        for event in events:
            self.call("cudaEventCreate", ctypes.byref(event))

        def timed(graph: ctypes.c_void_p) -> float:
            self.call("cudaGraphLaunch", graph, self.stream)
            self.call("cudaEventRecord", events[0], self.stream)
            self.call("cudaGraphLaunch", graph, self.stream)
            self.call("cudaEventRecord", events[1], self.stream)
            self.call("cudaEventSynchronize", events[1])
            millis = ctypes.c_float()
            self.call("cudaEventElapsedTime", ctypes.byref(millis), *events)
            return 1000 * millis.value

        def measure(run: Callable[[], None], _: ctypes.c_void_p) -> list[float]:
            run()
            return replayed(lambda n_runs: self.graph(run, n_runs), timed, REPEAT)

        return statistics.median(self.with_system(system, measure))

    def graph(self, run: Callable[[], None], n_runs: int) -> ctypes.c_void_p:
        """A graph of as many runs."""
        graph, executable = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cudaStreamBeginCapture", self.stream, ctypes.c_int(CAPTURE_MODE))
        for _ in range(n_runs):
            run()
        self.call("cudaStreamEndCapture", self.stream, ctypes.byref(graph))
        self.call("cudaGraphInstantiateWithFlags", ctypes.byref(executable), graph, ctypes.c_ulonglong(0))
        return executable


def difference(papillon: Papillon, sparse: CuSparse) -> float:
    """How far the solutions of one system are from each other, beside their length."""
    system = System(AGREEING)
    ours = papillon.solve(list(zip(*system.arrays())), "-a", "cyclic-reduction", "--precision", "single")
    theirs = sparse.solution(system)
    if len(ours) != len(theirs):
        raise Failure(f"papillon gives {len(ours)} values, and cuSPARSE {len(theirs)}")
    return math.dist(ours, theirs) / math.hypot(*theirs)


def measured(papillon: Papillon, sparse: CuSparse) -> list[tuple[str, ...]]:
    """The rows of the table."""
    rows = [("equations", "Papillon µs", "copy µs", "cuSPARSE µs", "ratio", "residual")]
    for k in SIZES:
        (case,) = papillon.bench("tridiagonal", f"2^{k}", "-a", "cyclic-reduction", "--caches", "warm")
        theirs = sparse.micros(System(1 << k))
        print(f"cusparse.py: 2^{k}: {case.micros:.1f} µs, cuSPARSE {theirs:.1f} µs", file=sys.stderr, flush=True)
        copy = "-" if case.copy_micros is None else f"{case.copy_micros:.1f}"
        rows.append((f"2^{k}", f"{case.micros:.1f}", copy, f"{theirs:.1f}", f"{case.micros / theirs:.2f}", f"{case.error:.1e}"))
    return rows


def main() -> int:
    """Checks, measures and prints; gives the exit code."""
    random.seed(1)
    try:
        sparse = CuSparse()
        with tempfile.TemporaryDirectory() as folder:
            papillon = Papillon(sys.argv[1] if len(sys.argv) > 1 else found_program(), "gpu", REPEAT, Path(folder))
            apart = difference(papillon, sparse)
            print(f"the solutions of {AGREEING} equations are {apart:.1e} apart{'' if apart <= AGREEMENT else ', too far'}", flush=True)
            print(table(measured(papillon, sparse)))
    except Failure as failure:
        print(f"cusparse.py: {failure}", file=sys.stderr)
        return 1
    return 0 if apart <= AGREEMENT else 1


if __name__ == "__main__":
    sys.exit(main())
