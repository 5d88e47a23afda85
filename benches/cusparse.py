#!/usr/bin/env python3
"""Papillon beside cuSPARSE on one GPU: one tridiagonal system with a dominant diagonal, in single precision.

    python3 benches/cusparse.py [PAPILLON]

It needs a CUDA GPU that Vulkan sees too, and the libraries of CUDA: libcudart and libcusparse. PAPILLON is target/release/papillon without a word on it.
cuSPARSE solves by gtsv2_nopivot, which reduces as Papillon does, and is timed between two events over many solutions in a row.
Papillon times itself (`papillon bench -t tridiagonal`), and tells its relative residual.
"""

import ctypes
import ctypes.util
import glob
import random
import statistics
import sys
import tempfile
from array import array
from pathlib import Path

from program import Failure, Papillon, found_program, table

SIZES = [16, 18, 20, 22, 24]
RUNS = 50
REPEAT = 9


def library(name):
    """A library of CUDA, wherever it was installed."""
    found = [ctypes.util.find_library(name)] if ctypes.util.find_library(name) else []
    for folder in ["/usr/local/cuda*/lib64", "/usr/lib/x86_64-linux-gnu", *(f"{path}/nvidia/*/lib" for path in sys.path if path)]:
        found += sorted(glob.glob(f"{folder}/lib{name}.so*"))
    if not found:
        sys.exit(f"cusparse.py: there is no lib{name}: install CUDA's libraries")
    return ctypes.CDLL(found[0])


def check(code, what):
    """Ends in one line where a call failed."""
    if code != 0:
        sys.exit(f"cusparse.py: {what} failed with {code}")


class CuSparse:
    """gtsv2_nopivot, called as it is."""

    def __init__(self):
        self.cuda, self.sparse = library("cudart"), library("cusparse")
        self.handle = ctypes.c_void_p()
        check(self.sparse.cusparseCreate(ctypes.byref(self.handle)), "cusparseCreate")

    def device(self, values):
        """An array on the device."""
        place = ctypes.c_void_p()
        check(self.cuda.cudaMalloc(ctypes.byref(place), ctypes.c_size_t(4 * len(values))), "cudaMalloc")
        check(self.cuda.cudaMemcpy(place, ctypes.c_void_p(values.buffer_info()[0]), ctypes.c_size_t(4 * len(values)), 1), "cudaMemcpy")
        return place

    def micros(self, n):
        """Median microseconds of one solution."""
        noise = array("f", (random.uniform(-1, 1) for _ in range(4096)))
        lower = array("f", noise.tobytes() * (n // 4096))
        middle = array("f", array("f", [3.0]).tobytes() * n)
        lower[0] = 0.0
        upper = array("f", lower)
        upper[0], upper[-1] = upper[1], 0.0
        places = [self.device(values) for values in (lower, middle, upper, middle)]
        size, buffer = ctypes.c_size_t(), ctypes.c_void_p()
        arguments = [self.handle, ctypes.c_int(n), ctypes.c_int(1), *places, ctypes.c_int(n)]
        check(self.sparse.cusparseSgtsv2_nopivot_bufferSizeExt(*arguments, ctypes.byref(size)), "the size of the buffer")
        check(self.cuda.cudaMalloc(ctypes.byref(buffer), size), "cudaMalloc")
        events = [ctypes.c_void_p(), ctypes.c_void_p()]
        for event in events:
            check(self.cuda.cudaEventCreate(ctypes.byref(event)), "cudaEventCreate")
        times, elapsed = [], ctypes.c_float()
        for _ in range(12):
            check(self.cuda.cudaEventRecord(events[0], None), "cudaEventRecord")
            for _ in range(RUNS):
                check(self.sparse.cusparseSgtsv2_nopivot(*arguments, buffer), "gtsv2_nopivot")
            check(self.cuda.cudaEventRecord(events[1], None), "cudaEventRecord")
            check(self.cuda.cudaEventSynchronize(events[1]), "cudaEventSynchronize")
            check(self.cuda.cudaEventElapsedTime(ctypes.byref(elapsed), *events), "cudaEventElapsedTime")
            times.append(1000 * elapsed.value / RUNS)
        for place in [*places, buffer]:
            self.cuda.cudaFree(place)
        # While the first ones ran the clocks rose.
        return statistics.median(times[4:])


def main():
    """Measures and prints; gives the exit code."""
    sparse, rows = CuSparse(), [("equations", "Papillon µs", "copy µs", "cuSPARSE µs", "ratio", "residual")]
    with tempfile.TemporaryDirectory() as folder:
        papillon = Papillon(sys.argv[1] if len(sys.argv) > 1 else found_program(), "gpu", REPEAT, Path(folder))
        try:
            cases = papillon.bench("tridiagonal", ",".join(f"2^{k}" for k in SIZES), "-a", "cyclic-reduction", "--caches", "warm")
        except Failure as failure:
            print(f"cusparse.py: {failure}", file=sys.stderr)
            return 1
    for k, case in zip(SIZES, cases):
        theirs = sparse.micros(1 << k)
        rows.append((f"2^{k}", f"{case.micros:.1f}", f"{case.copy_micros:.1f}", f"{theirs:.1f}", f"{case.micros / theirs:.2f}", f"{case.error:.1e}"))
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
