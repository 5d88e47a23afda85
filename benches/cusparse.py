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
import json
import random
import statistics
import subprocess
import sys
import tempfile
from array import array
from pathlib import Path

SIZES = [16, 18, 20, 22, 24]
RUNS = 50


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


def papillon(program, sizes):
    """What `papillon bench` measured, by the number of equations."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "times.json"
        names = ",".join(f"2^{k}" for k in sizes)
        command = [program, "bench", "-t", "tridiagonal", "-a", "cyclic-reduction", "-d", "gpu", "--sizes", names, "--caches", "warm", "-o", str(out)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"cusparse.py: {done.stderr.strip().splitlines()[-1]}")
        measurements = json.loads(out.read_text())["measurements"]
    return {measured["shape"]["columns"]: measured for measured in measurements}


def main():
    root = Path(__file__).resolve().parent.parent
    program = sys.argv[1] if len(sys.argv) > 1 else str(root / "target/release/papillon")
    sparse, measured = CuSparse(), papillon(program, SIZES)
    print(f"{'equations':>10}  {'Papillon µs':>11}  {'copy µs':>8}  {'cuSPARSE µs':>11}  {'ratio':>5}  residual")
    for k in SIZES:
        case, theirs = measured[1 << k], sparse.micros(1 << k)
        ours = statistics.median(micros for samples in case["kernel_micros"] for micros in samples)
        print(f"{f'2^{k}':>10}  {ours:11.1f}  {case['copy_micros']:8.1f}  {theirs:11.1f}  {ours / theirs:5.2f}  {case['error']:.1e}")


if __name__ == "__main__":
    main()
