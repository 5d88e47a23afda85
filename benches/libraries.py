#!/usr/bin/env python3
"""Records of the reference libraries of Sörman's thesis that need no CUDA, for papillon bench --with.

    python3 benches/libraries.py fftw --record fftw.json       FFTW, planned by measurement, by pyFFTW
    python3 benches/libraries.py clfft --record clfft.json     clFFT, by pyopencl and libclFFT
    python3 benches/libraries.py vkfft --record vkfft.json     VkFFT with its OpenCL back end, by pyopencl and pyvkfft

    papillon bench --experiment sorman-2016-fig-6-1 --with fftw.json

benches/cufft.py --record writes the record of cuFFT. All need numpy, and papillon for the shapes, bytes and operations (cargo build --release).
FFTW runs on the threads that --threads says, one by default as in the thesis; its plans and memory count in no time, as those of the other libraries do not.
clFFT and VkFFT run on the first OpenCL device, or on the one that PYOPENCL_CTX names, and are timed by its events. The thesis could time clFFT on the host only.
On an OpenCL device that is a CPU, such as pocl, their lines say nothing of a GPU; the record names the device.

The exit code is 0 when all was measured and agrees with numpy, 1 when something failed or disagrees, 2 when the library is not there.
"""

from __future__ import annotations

import argparse
import atexit
import ctypes
import ctypes.util
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from program import Failure, Papillon, found_program
from records import Recorded, recorded, timed_on_host

# A result in single precision is near 3e-7·log2(N)/10 from the exact one.
AGREEMENT = 2e-6
# Microseconds between two looks at the clock at least, so that its own cost is shared by several runs.
SAMPLE_MICROS = 3_000.0
MOST_RUNS = 4096


class Fftw:
    """FFTW by pyFFTW, in single precision."""

    label, algorithm, on_gpu = "FFTW", "fftw", False

    def __init__(self, threads: int) -> None:
        import pyfftw

        self.pyfftw, self.threads = pyfftw, threads
        self.planned: tuple[Any, Any] = (None, None)

    def device(self) -> str:
        count = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"FFTW {self.pyfftw.fftw_version.split('-')[0]} by pyFFTW on {count}"

    def plan(self, samples: Any, picture: bool) -> Any:
        """The plan of a shape, with its memory; the last one is kept, as making one runs many transforms."""
        key = (samples.shape, picture)
        if self.planned[0] != key:
            before, after = (self.pyfftw.empty_aligned(samples.shape, dtype="complex64") for _ in range(2))
            axes = (0, 1) if picture else (1,)
            self.planned = key, self.pyfftw.FFTW(before, after, axes=axes, threads=self.threads, flags=("FFTW_MEASURE",))
        return self.planned[1]

    def transform(self, samples: Any, picture: bool) -> Any:
        plan = self.plan(samples, picture)
        plan.input_array[:] = samples
        plan.execute()
        return plan.output_array.copy()

    def trip(self, samples: Any, picture: bool) -> tuple[float, float, float]:
        plan = self.plan(samples, picture)
        _, kernel = timed_on_host(plan.execute, lambda: None)
        return 0.0, kernel, 0.0

    def micros(self, samples: Any, picture: bool, repeat: int) -> list[float]:
        plan = self.plan(samples, picture)

        def timed(runs: int) -> float:
            begin = time.perf_counter()
            for _ in range(runs):
                plan.execute()
            return (time.perf_counter() - begin) * 1e6

        timed(1)
        runs = max(1, min(MOST_RUNS, round(SAMPLE_MICROS / timed(1))))
        return [timed(runs) / runs for _ in range(repeat)]


class OnOpenCl:
    """A library that queues transforms on an OpenCL device by `queued(buffer, result)`, which returns the last event."""

    on_gpu = True

    def __init__(self) -> None:
        import pyopencl as cl

        self.cl, self.context = cl, cl.create_some_context(interactive=False)
        self.queue = cl.CommandQueue(self.context, properties=cl.command_queue_properties.PROFILING_ENABLE)
        self.on_gpu = bool(self.context.devices[0].type & cl.device_type.GPU)
        self.shape: Any = None

    def where(self) -> str:
        """The device and its driver."""
        device = self.context.devices[0]
        return f"{device.name} ({device.platform.name})"

    def made(self, samples: Any, picture: bool) -> None:
        """Makes the plan of a shape; the last one is kept."""
        if self.shape != (samples.shape, picture):
            self.make(samples, picture)
            self.shape = samples.shape, picture

    def make(self, samples: Any, picture: bool) -> None:
        """Makes a plan."""
        raise NotImplementedError

    def queued(self, before: Any, after: Any) -> None:
        """Queues a transform."""
        raise NotImplementedError

    def buffers(self, samples: Any) -> tuple[Any, Any]:
        """The samples on the device, and room for the result."""
        import pyopencl.array

        before = pyopencl.array.to_device(self.queue, samples)
        return before, pyopencl.array.empty_like(before)

    def transform(self, samples: Any, picture: bool) -> Any:
        self.made(samples, picture)
        before, after = self.buffers(samples)
        self.queued(before, after)
        return after.get(self.queue)

    def trip(self, samples: Any, picture: bool) -> tuple[float, float, float]:
        self.made(samples, picture)
        (before, after), upload = timed_on_host(lambda: self.buffers(samples), self.queue.finish)
        _, kernel = timed_on_host(lambda: self.queued(before, after), self.queue.finish)
        _, download = timed_on_host(lambda: after.get(self.queue), self.queue.finish)
        return upload, kernel, download

    def micros(self, samples: Any, picture: bool, repeat: int) -> list[float]:
        self.made(samples, picture)
        before, after = self.buffers(samples)

        # Markers around the transform carry the times of the device, whatever kernels the library queues.
        def timed() -> float:
            begin = self.cl.enqueue_marker(self.queue)
            self.queued(before, after)
            end = self.cl.enqueue_marker(self.queue)
            end.wait()
            return (end.profile.end - begin.profile.end) / 1e3

        timed()
        return [timed() for _ in range(repeat)]


class ClFft(OnOpenCl):
    """clFFT by its C functions."""

    label, algorithm = "clFFT", "clfft"
    # Constants of clFFT.h.
    COMPLEX_INTERLEAVED, OUT_OF_PLACE, SINGLE, FORWARD = 1, 2, 1, -1

    def __init__(self) -> None:
        super().__init__()
        name = ctypes.util.find_library("clFFT")
        if name is None:
            raise ImportError("there is no libclFFT")
        self.library, self.handle = ctypes.CDLL(name), ctypes.c_size_t()
        version = (ctypes.c_uint * 4)()
        self.call("clfftGetVersion", *(ctypes.byref(version, 4 * index) for index in range(3)))
        self.version = ".".join(map(str, version[:3]))
        self.call("clfftSetup", (ctypes.c_uint * 4)(*version[:3], 0))
        atexit.register(self.library.clfftTeardown)

    def device(self) -> str:
        return f"clFFT {self.version} on {self.where()}"

    def call(self, name: str, *arguments: Any) -> None:
        """Calls a function of clFFT, which gives 0 where it succeeds."""
        code = getattr(self.library, name)(*arguments)
        if code != 0:
            raise Failure(f"{name} failed with {code}")

    def make(self, samples: Any, picture: bool) -> None:
        rows, columns = samples.shape
        if self.shape is not None:
            self.call("clfftDestroyPlan", ctypes.byref(self.handle))
        context, queue = (ctypes.c_void_p(thing.int_ptr) for thing in (self.context, self.queue))
        lengths = (ctypes.c_size_t * 2)(columns, rows)
        self.call("clfftCreateDefaultPlan", ctypes.byref(self.handle), context, 2 if picture else 1, lengths)
        self.call("clfftSetPlanPrecision", self.handle, self.SINGLE)
        self.call("clfftSetLayout", self.handle, self.COMPLEX_INTERLEAVED, self.COMPLEX_INTERLEAVED)
        self.call("clfftSetResultLocation", self.handle, self.OUT_OF_PLACE)
        self.call("clfftBakePlan", self.handle, 1, ctypes.byref(queue), None, None)

    def queued(self, before: Any, after: Any) -> None:
        queue, from_, to = (ctypes.c_void_p(thing.int_ptr) for thing in (self.queue, before.data, after.data))
        self.call(
            "clfftEnqueueTransform", self.handle, self.FORWARD, 1, ctypes.byref(queue), 0, None, None, ctypes.byref(from_), ctypes.byref(to), None
        )


class VkFft(OnOpenCl):
    """VkFFT by pyvkfft."""

    label, algorithm = "VkFFT", "vkfft"

    def __init__(self) -> None:
        super().__init__()
        import pyvkfft.opencl
        from pyvkfft.version import vkfft_version

        self.library, self.version = pyvkfft.opencl, vkfft_version()

    def device(self) -> str:
        return f"VkFFT {self.version} by pyvkfft on {self.where()}"

    def make(self, samples: Any, picture: bool) -> None:
        self.app = self.library.VkFFTApp(samples.shape, samples.dtype, queue=self.queue, ndim=2 if picture else 1, inplace=False)

    def queued(self, before: Any, after: Any) -> None:
        self.app.fft(before, after)


def main(words: Sequence[str]) -> int:
    """Measures and writes; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=("fftw", "clfft", "vkfft"))
    parser.add_argument("--record", type=Path, required=True, metavar="FILE", help="where the record goes")
    parser.add_argument("--papillon", default=found_program(), metavar="PROGRAM", help="the program [%(default)s]")
    parser.add_argument("--most", type=int, default=24, metavar="K", help="of at most 2^K samples [%(default)s]")
    parser.add_argument("--repeat", type=int, default=21, help="runs that count [%(default)s]")
    parser.add_argument("--threads", type=int, default=1, help="threads of FFTW [%(default)s]")
    asked = parser.parse_args(words)
    if asked.repeat < 1 or asked.threads < 1:
        parser.error("--repeat and --threads take 1 or more")

    def say(line: str) -> None:
        print(f"libraries.py: {line}", file=sys.stderr, flush=True)

    makers: dict[str, Callable[[], Recorded]] = {"fftw": lambda: Fftw(asked.threads), "clfft": ClFft, "vkfft": VkFft}
    try:
        library = makers[asked.library]()
    except Exception as error:  # A library that is half installed fails in many ways, and each means that it cannot be measured.
        say(f"{asked.library} is not there: {' '.join(str(error).split())}")
        return 2
    try:
        with tempfile.TemporaryDirectory() as folder:
            print(library.device(), flush=True)
            papillon = Papillon(asked.papillon, "cpu", asked.repeat, Path(folder))
            record = recorded(papillon, library, asked.most, say)
    except Failure as failure:
        say(str(failure))
        return 1
    asked.record.write_text(json.dumps(record) + "\n")
    return 0 if all(measured["error"] <= AGREEMENT for measured in record["measurements"]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
