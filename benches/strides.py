#!/usr/bin/env python3
"""How much memory a GPU moves for one value at a distance from the next: copies of single values, by CUDA.

    python3 benches/strides.py                  values of 4, 8 and 16 bytes, one in every 4 to 256 bytes of 1 GiB

It needs a CUDA GPU and torch. Each line copies one value from each interval of an array into the same interval of another one.
An array is larger than the caches, so that every value comes from memory. The last column is the time divided by that of a copy of all values:
1 means that memory moves everything between two values too. `papillon bench` counts the bytes of a launch by what this shows.

The exit code is 0 when all was measured, 1 when something failed, 2 when the call was wrong or CUDA is not there.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from typing import Any

from program import by_torch, replayed, table

HEADINGS = ("value", "one in every", "µs", "copies")
# Bytes of a value, by the name of its type in torch.
TYPES = {4: "float32", 8: "complex64", 16: "complex128"}
LONGEST_INTERVAL = 256


def timer(torch: Any, copy: Callable[[], Any]) -> float:
    """The median time of a copy, in microseconds."""
    copy()
    return statistics.median(replayed(*by_torch(torch, copy), 9))


def rows(torch: Any, n_bytes: int) -> list[tuple[str, ...]]:
    """One line for every size of a value and every interval."""
    lines = []
    for size, kind in TYPES.items():
        source, sink = (torch.zeros(n_bytes // size, dtype=getattr(torch, kind), device="cuda") for _ in range(2))
        whole, interval = 0.0, size
        while interval <= LONGEST_INTERVAL:
            step = interval // size
            micros = timer(torch, lambda step=step: sink[::step].copy_(source[::step]))
            whole = whole or micros
            lines.append((f"{size} B", f"{interval} B", f"{micros:.1f}", f"{micros / whole:.2f}"))
            interval *= 2
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mebibytes", type=int, default=1024, help="size of each array [%(default)s]")
    arguments = parser.parse_args()
    if arguments.mebibytes < 1:
        parser.error("--mebibytes takes a number from 1 on")
    try:
        import torch
    except ImportError as error:
        print(f"strides.py: torch is missing ({error}): pip install torch", file=sys.stderr)
        return 2
    if not torch.cuda.is_available():
        print("strides.py: torch sees no CUDA GPU", file=sys.stderr)
        return 2
    print(torch.cuda.get_device_name())
    try:
        print(table([HEADINGS, *rows(torch, arguments.mebibytes << 20)]))
    except RuntimeError as error:
        print(f"strides.py: {str(error).splitlines()[0]}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
