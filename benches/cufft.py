#!/usr/bin/env python3
"""Papillon beside cuFFT on one GPU: the same shapes, in the same run, with the copy beside them.

    python3 benches/cufft.py                     everything that the README's table tells
    python3 benches/cufft.py --only large,square
    python3 benches/cufft.py --record cufft.json       a record of cuFFT at the sizes of Sörman's thesis, for papillon bench --with

It needs a CUDA GPU that Vulkan sees too, numpy, and torch or cupy; papillon is built before (cargo build --release).
Papillon measures itself (`papillon bench`): kernels by the clock of the device, run after run, once the clocks are up.
cuFFT is measured alike: a CUDA graph of several transforms is replayed until the clocks are up, and then between two events, behind a replay that does not count: what the host needs to launch a graph is not in the times.
Plans, uploads and downloads count on neither side, nor does the data, since an FFT takes the same time for any.
Before that, both transform the same files of seeded noise, and their results must agree.

The exit code is 0 when all was measured and agrees, 1 when something failed or disagrees, 2 when the call was wrong or cuFFT is not there.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from program import Case, Failure, Papillon, by_torch, found_program, replayed, table
from records import recorded, timed_on_host

# Two results in single precision, each near 3e-7·log2(N)/10 from the exact one.
AGREEMENT = 2e-6


@dataclass(frozen=True)
class Work:
    """One line of the table."""

    group: str
    transform: str
    rows: int
    columns: int
    # Bounds of a ratio of times, and what papillon is compared with: "cuFFT", "next" power of two, or "complex" for the same shape.
    must: float
    goal: float
    against: str = "cuFFT"
    goal_against: str | None = None
    label: str = ""

    @property
    def name(self) -> str:
        """As people write it."""
        if self.label:
            return self.label
        length = f"2^{self.columns.bit_length() - 1}" if self.columns.bit_count() == 1 else str(self.columns)
        if self.transform.endswith("2"):
            return f"{self.transform} {self.rows} x {self.columns}"
        return f"dft {length}" if self.rows == 1 else f"dft {self.rows} rows of {length}"

    @property
    def is_picture(self) -> bool:
        """Whether it acts along both axes."""
        return self.transform.endswith("2")

    @property
    def is_real(self) -> bool:
        """Whether it takes real samples."""
        return self.transform.startswith("r")


def works() -> list[Work]:
    """The table of what is to be reached."""
    listed = [Work("batch", "dft", 1 << 14, 4096, 1.25, 1.1)]
    listed += [Work("medium", "dft", 1, 1 << k, 1.1, 1.0) for k in (16, 18, 20)]
    listed += [Work("medium", "dft2", n, n, 1.1, 1.0) for n in (512, 1024)]
    listed += [Work("large", "dft", 1, 1 << k, 0.8 if k == 22 else 1.0, 0.75) for k in (22, 24, 26)]
    listed += [Work("square", "dft2", n, n, 1.0, 0.75) for n in (2048, 4096, 8192)]
    mixed = {"3*2^18": 3 << 18, "3*2^22": 3 << 22, "5^8": 5**8, "5^10": 5**10, "10^5": 10**5, "10^6": 10**6, "10^7": 10**7}
    listed += [Work("mixed", "dft", 1, n, 1.6, 1.3, "next", label=f"dft {name}") for name, n in mixed.items()]
    listed += [Work("prime", "dft", 1, n, 6.0, 4.5, "next", label=f"dft {n} (prime)") for n in (100_003, 1_000_003)]
    listed += [Work("real", "rdft2", 4096, 4096, 0.65, 1.0, "complex", "cuFFT")]
    return listed


class CuFft(Protocol):
    """What is needed of a library that calls cuFFT."""

    name: str

    def device(self) -> str:
        """Name of the GPU."""

    def transform(self, samples: Any, picture: bool) -> Any:
        """The transform of a numpy array, as one."""

    def micros(self, work: Work, repeat: int) -> list[float]:
        """`repeat` times the microseconds of one transform."""

    def trip(self, samples: Any, picture: bool) -> tuple[float, float, float]:
        """Microseconds of upload, transform and download of a numpy array, by the clock of the host."""


class Torch:
    """cuFFT by torch."""

    name = "torch"

    def __init__(self) -> None:
        import torch

        if not torch.cuda.is_available():
            raise ImportError("torch sees no CUDA GPU")
        self.torch = torch

    def device(self) -> str:
        return str(self.torch.cuda.get_device_name())

    def _function(self, real: bool, picture: bool) -> Callable[[Any], Any]:
        fft = self.torch.fft
        return (fft.rfft2 if real else fft.fft2) if picture else (fft.rfft if real else fft.fft)

    def transform(self, samples: Any, picture: bool) -> Any:
        on_gpu = self.torch.from_numpy(samples).cuda()
        return self._function(not on_gpu.is_complex(), picture)(on_gpu).cpu().numpy()

    def trip(self, samples: Any, picture: bool) -> tuple[float, float, float]:
        on_gpu, upload = timed_on_host(lambda: self.torch.from_numpy(samples).cuda(), self.torch.cuda.synchronize)
        function = self._function(not on_gpu.is_complex(), picture)
        result, kernel = timed_on_host(lambda: function(on_gpu), self.torch.cuda.synchronize)
        _, download = timed_on_host(lambda: result.cpu(), self.torch.cuda.synchronize)
        return upload, kernel, download

    def micros(self, work: Work, repeat: int) -> list[float]:
        torch = self.torch
        torch.manual_seed(1)
        kind = torch.float32 if work.is_real else torch.complex64
        samples = torch.randn(work.rows, work.columns, dtype=kind, device="cuda")
        function = self._function(work.is_real, work.is_picture)

        # The plan is made by the first calls, which a graph could not hold.
        for _ in range(3):
            function(samples)
        torch.cuda.synchronize()
        return replayed(*by_torch(torch, lambda: function(samples)), repeat)


class CuPy:
    """cuFFT by cupy."""

    name = "cupy"

    def __init__(self) -> None:
        import cupy
        from cupyx.scipy.fft import get_fft_plan

        if cupy.cuda.runtime.getDeviceCount() == 0:
            raise ImportError("cupy sees no CUDA GPU")
        self.cupy, self.get_fft_plan = cupy, get_fft_plan

    def device(self) -> str:
        properties = self.cupy.cuda.runtime.getDeviceProperties(self.cupy.cuda.Device().id)
        return str(properties["name"].decode())

    def transform(self, samples: Any, picture: bool) -> Any:
        fft, real = self.cupy.fft, samples.dtype.kind != "c"
        function = (fft.rfft2 if real else fft.fft2) if picture else (fft.rfft if real else fft.fft)
        return self.cupy.asnumpy(function(self.cupy.asarray(samples)))

    def trip(self, samples: Any, picture: bool) -> tuple[float, float, float]:
        fft, wait = self.cupy.fft, self.cupy.cuda.Device().synchronize
        on_gpu, upload = timed_on_host(lambda: self.cupy.asarray(samples), wait)
        result, kernel = timed_on_host(lambda: (fft.fft2 if picture else fft.fft)(on_gpu), wait)
        _, download = timed_on_host(lambda: self.cupy.asnumpy(result), wait)
        return upload, kernel, download

    def micros(self, work: Work, repeat: int) -> list[float]:
        cupy = self.cupy
        cupy.random.seed(1)
        samples = cupy.random.standard_normal((work.rows, work.columns), dtype=cupy.float32)
        if not work.is_real:
            samples = (samples + 1j * cupy.random.standard_normal(samples.shape, dtype=cupy.float32)).astype(cupy.complex64)
        columns = work.columns // 2 + 1 if work.is_real else work.columns
        result = cupy.empty((work.rows, columns), dtype=cupy.complex64)
        kind = "R2C" if work.is_real else "C2C"
        plan = self.get_fft_plan(samples, axes=(0, 1) if work.is_picture else 1, value_type=kind)
        stream = cupy.cuda.Stream(non_blocking=True)

        def graph_of(runs: int) -> Any:
            with stream:
                stream.begin_capture()
                for _ in range(runs):
                    plan.fft(samples, result, cupy.cuda.cufft.CUFFT_FORWARD)
                return stream.end_capture()

        def timed(graph: Any) -> float:
            start, end = cupy.cuda.Event(), cupy.cuda.Event()
            graph.launch(stream)
            start.record(stream)
            graph.launch(stream)
            end.record(stream)
            end.synchronize()
            return float(cupy.cuda.get_elapsed_time(start, end)) * 1e3

        with stream:
            plan.fft(samples, result, cupy.cuda.cufft.CUFFT_FORWARD)
        stream.synchronize()
        return replayed(graph_of, timed, repeat)


@dataclass(frozen=True)
class RecordedCuFft:
    """cuFFT, as records take a library."""

    library: CuFft
    label: str = "cuFFT"
    algorithm: str = "cufft"
    on_gpu: bool = True

    def device(self) -> str:
        return f"cuFFT by {self.library.name} on {self.library.device()}"

    def transform(self, samples: Any, picture: bool) -> Any:
        return self.library.transform(samples, picture)

    def trip(self, samples: Any, picture: bool) -> tuple[float, float, float]:
        return self.library.trip(samples, picture)

    def micros(self, samples: Any, picture: bool, repeat: int) -> list[float]:
        rows, columns = samples.shape
        return self.library.micros(Work("record", "dft2" if picture else "dft", rows, columns, 0.0, 0.0), repeat)


def cufft(wanted: str) -> CuFft:
    """The library that is asked for, or the first one that works."""
    reasons = []
    for library in (Torch, CuPy):
        if wanted in ("auto", library.name):
            try:
                return library()
            except Exception as error:  # A library that is half installed fails in many ways, and each is a reason to take the other.
                reasons.append(f"{library.name}: {' '.join(str(error).split())}")
    raise Failure(f"cuFFT needs torch or cupy with a CUDA GPU ({'; '.join(reasons)})")


def disagreements(papillon: Papillon, library: CuFft, known: set[str]) -> int:
    """Transforms the same seeded noise by both, prints how far the results are from each other, and counts those that are too far."""
    import numpy as np

    generator, n_wrong = np.random.default_rng(1), 0
    for transform, shape in [("dft", (1, 1 << 16)), ("dft", (3, 1000)), ("dft", (1, 100_003)), ("dft2", (512, 384)), ("rdft2", (512, 384))]:
        if transform not in known:
            continue
        samples = generator.standard_normal(shape, dtype=np.float32)
        if not transform.startswith("r"):
            samples = (samples + 1j * generator.standard_normal(shape, dtype=np.float32)).astype(np.complex64)
        ours, theirs = papillon.transform(samples, transform), library.transform(samples, transform.endswith("2"))
        if ours.size != theirs.size:
            raise Failure(f"{transform} of {shape} gives {ours.shape}, and cuFFT {theirs.shape}")
        difference = float(np.linalg.norm(ours.ravel() - theirs.ravel()) / np.linalg.norm(theirs))
        agrees = difference <= AGREEMENT
        n_wrong += not agrees
        print(f"{transform} of {shape[0]} x {shape[1]}: {difference:.1e} apart{'' if agrees else ', too far'}")
    return n_wrong


@dataclass(frozen=True)
class Line:
    """What one work came to, in microseconds."""

    work: Work
    papillon: float
    cufft: float
    copy: float | None
    # The time that the bound is a multiple of.
    reference: float
    error: float


HEADINGS = ("work", "papillon µs", "cuFFT µs", "copy µs", "× cuFFT", "× copy", "error", "bound", "is", "goal")


def cells(line: Line) -> tuple[str, ...]:
    """The words of a line of the table."""
    work = line.work
    ratio = line.papillon / line.reference
    goal_ratio = line.papillon / line.cufft if work.goal_against == "cuFFT" else ratio
    against = {"cuFFT": "cuFFT", "next": "next 2^k", "complex": "complex"}[work.against]
    verdict = "met" if ratio <= work.must else "missed"
    return (
        work.name,
        f"{line.papillon:.1f}",
        f"{line.cufft:.1f}",
        "-" if line.copy is None else f"{line.copy:.1f}",
        f"{line.papillon / line.cufft:.2f}",
        "-" if line.copy is None else f"{line.papillon / line.copy:.2f}",
        f"{line.error:.1e}",
        f"{work.must:g} × {against}",
        f"{ratio:.2f}, {verdict}",
        f"{work.goal:g}, {'met' if goal_ratio <= work.goal else 'missed'}",
    )


def measure(papillon: Papillon, library: CuFft, listed: Sequence[Work], progress: Callable[[str], None]) -> list[Line]:
    """Measures one work after the other, cuFFT right after papillon."""
    known: dict[tuple[str, int, int], float] = {}

    def ours(transform: str, rows: int, columns: int) -> Case:
        # The caches are warm, as those of a replayed graph are.
        size, batch = (f"{rows}x{columns}", []) if transform.endswith("2") else (str(columns), ["--rows", str(rows)])
        (case,) = papillon.bench(transform, size, *batch, "--caches", "warm")
        known[transform, rows, columns] = case.micros
        return case

    def reference(work: Work, cufft_micros: float) -> float:
        if work.against == "cuFFT":
            return cufft_micros
        other = ("dft", work.rows, 1 << (work.columns - 1).bit_length()) if work.against == "next" else (work.transform[1:], work.rows, work.columns)
        if other not in known:
            ours(*other)
        return known[other]

    lines = []
    for work in listed:
        case = ours(work.transform, work.rows, work.columns)
        theirs = statistics.median(library.micros(work, papillon.repeat))
        progress(f"{work.name}: {case.micros:.1f} µs, cuFFT {theirs:.1f} µs")
        lines.append(Line(work, case.micros, theirs, case.copy_micros, reference(work, theirs), case.error))
    return lines


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """What was typed."""
    groups = list(dict.fromkeys(work.group for work in works()))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papillon", default=found_program(), metavar="PROGRAM", help="the program [%(default)s]")
    parser.add_argument("--device", default="gpu", help="its device, as in papillon bench -d [%(default)s]")
    parser.add_argument("--library", default="auto", choices=("auto", "torch", "cupy"), help="what calls cuFFT [%(default)s]")
    parser.add_argument("--only", default=",".join(groups), metavar="GROUPS", help="divided by commas [%(default)s]")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write a record of cuFFT alone, for papillon bench --with")
    parser.add_argument("--most", type=int, default=26, metavar="K", help="of at most 2^K samples in the record [%(default)s]")
    parser.add_argument("--repeat", type=int, default=21, help="runs that count [%(default)s]")
    parsed = parser.parse_args(words)
    parsed.only = parsed.only.split(",")
    unknown = [group for group in parsed.only if group not in groups]
    if unknown:
        parser.error(f"there is no group {unknown[0]}: take some of {', '.join(groups)}")
    if parsed.repeat < 1:
        parser.error("--repeat takes 1 or more")
    return parsed


def main(words: Sequence[str]) -> int:
    """Checks, measures and prints; gives the exit code."""
    asked = arguments(words)

    def say(line: str) -> None:
        print(f"cufft.py: {line}", file=sys.stderr, flush=True)

    try:
        library = cufft(asked.library)
    except Failure as failure:
        say(str(failure))
        return 2
    try:
        with tempfile.TemporaryDirectory() as folder:
            papillon = Papillon(asked.papillon, asked.device, asked.repeat, Path(folder))
            known = papillon.transforms()
            print(f"cuFFT by {library.name} on {library.device()}; medians of {asked.repeat} samples", flush=True)
            n_wrong = disagreements(papillon, library, known)
            if asked.record:
                asked.record.write_text(json.dumps(recorded(papillon, RecordedCuFft(library), asked.most, say)) + "\n")
                return 1 if n_wrong else 0
            listed = [work for work in works() if work.group in asked.only and work.transform in known]
            print(table([HEADINGS, *map(cells, measure(papillon, library, listed, say))]))
    except Failure as failure:
        say(str(failure))
        return 1
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
