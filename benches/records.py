"""Records of other libraries in the form of papillon's, so that `papillon bench --with` adds their lines to tables and plots."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, Protocol

from program import Papillon

# The sizes of Sörman's thesis, by transform: sequences, and sides of images.
RECORDED = {"dft": [1 << k for k in range(4, 27)], "dft2": [1 << k for k in range(6, 14)]}


class Recorded(Protocol):
    """What a record needs of a library."""

    # Its name in legends, and in the lines of the record.
    label: str
    algorithm: str
    on_gpu: bool

    def device(self) -> str:
        """The library, what calls it, and where it runs."""

    def transform(self, samples: Any, picture: bool) -> Any:
        """The transform of the rows of a numpy array of complex numbers, or of the whole image, as an array."""

    def trip(self, samples: Any, picture: bool) -> tuple[float, float, float]:
        """Microseconds of upload, transform and download of an array, by the clock of the host."""

    def micros(self, samples: Any, picture: bool, repeat: int) -> list[float]:
        """`repeat` times the microseconds of one transform of an array of this shape, by the most exact clock that there is."""


def timed_on_host(work: Callable[[], Any], wait: Callable[[], None]) -> tuple[Any, float]:
    """A result, and the microseconds until the device has finished it."""
    wait()
    begin = time.perf_counter()
    result = work()
    wait()
    return result, (time.perf_counter() - begin) * 1e6


def recorded(papillon: Papillon, library: Recorded, most: int, progress: Callable[[str], None]) -> dict[str, Any]:
    """A record of a library, for sizes of at most 2^`most` samples; the shapes, bytes and operations are papillon's."""
    import numpy as np

    generator, whole = np.random.default_rng(1), None
    for transform, sizes in RECORDED.items():
        picture = transform == "dft2"
        fitting = [n for n in sizes if (n * n if picture else n) <= 1 << most]
        if not fitting:
            continue
        record = papillon.record(transform, ",".join(f"{n}x{n}" if picture else str(n) for n in fitting), "--caches", "warm", "--repeat", "1")
        for measured in record["measurements"]:
            rows, columns = measured["shape"]["rows"], measured["shape"]["columns"]
            samples = generator.standard_normal((rows, columns, 2), dtype=np.float32).view(np.complex64)[..., 0]
            exact = (np.fft.fft2 if picture else np.fft.fft)(samples.astype(np.complex128))
            error = float(np.linalg.norm(library.transform(samples, picture) - exact) / np.linalg.norm(exact))
            library.trip(samples, picture)
            trips = [library.trip(samples, picture) for _ in range(papillon.repeat)]
            runs = [{"upload": up, "kernel": kernel, "download": down, "total": up + kernel + down} for up, kernel, down in trips]
            measured.update(
                line=0 if whole is None else 1, algorithm=library.algorithm, reason="", device=library.device(),
                n_launches=0, bytes_moved=None, on_gpu=library.on_gpu, software_gpu=False, device_clock=library.on_gpu, rotated_bytes=0,
                error=error, kernel_micros=[library.micros(samples, picture, papillon.repeat)], trips=[runs],
            )
            progress(f"{transform} {rows} x {columns}: {statistics.median(measured['kernel_micros'][0]):.1f} µs, error {error:.1e}")
        record["sweep"]["name"] = library.label
        for line in record["sweep"]["lines"]:
            line.update(label=library.label, algorithm=library.algorithm)
        if whole is None:
            whole = record
        else:
            whole["sweep"]["lines"] += record["sweep"]["lines"]
            whole["measurements"] += record["measurements"]
    return whole or {}
