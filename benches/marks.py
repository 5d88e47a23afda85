#!/usr/bin/env python3
"""The marks of speed of everything that has no vendor's library beside it, on one GPU in one run, each beside a copy of its bytes.

    python3 benches/marks.py                     walsh, haar, packed reed-muller, dyadic convolution, wavelets
    python3 benches/marks.py --only wavelet --halve 8

papillon is built before (cargo build --release); it measures itself (`papillon bench`), each case with cold caches.
cufft.py and cusparse.py do the same beside NVIDIA's libraries.
--halve takes every length, or every side of a picture, so many times by half: to try the script where there is no large GPU.

The exit code is 0 when every bound is met, 1 when one is missed or something failed, 2 when the call was wrong.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from program import Case, Failure, Papillon, found_program, table


@dataclass(frozen=True)
class Mark:
    """One line of the table: a work, and what its time must not or must exceed."""

    group: str
    transform: str
    # log2 of the length, or of the side of a picture.
    exponent: int
    must: float
    goal: float
    # What the time is divided by: the "copy", or another transform. "direct" turns it round: the time of a launch a stage is divided by this one.
    against: str = "copy"
    options: tuple[str, ...] = ()

    def size(self, halve: int) -> str:
        """As `papillon bench` takes it."""
        side = 1 << max(self.exponent - halve, 4)
        return f"{side}x{side}" if self.transform.endswith("-2") else f"2^{side.bit_length() - 1}"

    def name(self, halve: int) -> str:
        """As people write it."""
        return f"{self.transform} {self.size(halve)}"


LINE, PICTURE = ("--levels", "8"), ("--levels", "4")
OVERLAPPED = ("-a", "overlapped")
MARKS = [
    Mark("logic", "walsh", 24, 3.0, 2.2),
    Mark("logic", "haar", 24, 1.6, 1.3),
    Mark("logic", "reed-muller", 30, 4.0, 2.5),
    Mark("logic", "dyadic-convolution", 24, 3.8, 3.5, "walsh"),
    *(Mark("wavelet", "cdf97", k, 2.5, 1.7, "copy", (*LINE, *OVERLAPPED)) for k in (20, 24)),
    Mark("wavelet", "cdf97", 24, 4.0, 4.0, "direct", (*LINE, *OVERLAPPED)),
    *(Mark("wavelet", "cdf97-2", k, 2.5, 1.7, "copy", (*PICTURE, *OVERLAPPED)) for k in (11, 13)),
]


class Measured:
    """Times by transform, size and options, each measured once."""

    def __init__(self, papillon: Papillon, halve: int) -> None:
        self.papillon, self.halve = papillon, halve
        self.known: dict[tuple[str, ...], Case] = {}

    def case(self, transform: str, size: str, *options: str) -> Case:
        """What `papillon bench` tells."""
        asked = (transform, size, *options)
        if asked not in self.known:
            (self.known[asked],) = self.papillon.bench(*asked)
            print(f"marks.py: {' '.join(asked)}: {self.known[asked].micros:.1f} µs", file=sys.stderr, flush=True)
        return self.known[asked]

    def line(self, mark: Mark) -> tuple[str, ...]:
        """The words of a line of the table."""
        size = mark.size(self.halve)
        case = self.case(mark.transform, size, *mark.options)
        if mark.against == "copy":
            if case.copy_micros is None:
                raise Failure(f"{self.papillon.device} has no copy to compare with: take a GPU")
            ratio, bound = case.micros / case.copy_micros, "copy"
        elif mark.against == "direct":
            direct = self.case(mark.transform, size, *(word if word != "overlapped" else "direct" for word in mark.options))
            ratio, bound = direct.micros / case.micros, "as fast as direct"
        else:
            ratio, bound = case.micros / self.case(mark.against, size).micros, mark.against
        is_met = {limit: ratio >= limit if mark.against == "direct" else ratio <= limit for limit in (mark.must, mark.goal)}
        return (
            mark.name(self.halve),
            str(case.launches),
            f"{case.micros:.1f}",
            "-" if case.copy_micros is None else f"{case.copy_micros:.1f}",
            f"{case.error:.1e}",
            f"{mark.must:g} × {bound}",
            f"{ratio:.2f}, {'met' if is_met[mark.must] else 'missed'}",
            f"{mark.goal:g}, {'met' if is_met[mark.goal] else 'missed'}",
        )


HEADINGS = ("work", "launches", "papillon µs", "copy µs", "error", "bound", "is", "goal")


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """What was typed."""
    groups = list(dict.fromkeys(mark.group for mark in MARKS))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papillon", default=found_program(), metavar="PROGRAM", help="the program [%(default)s]")
    parser.add_argument("--device", default="gpu", help="its device, as in papillon bench -d [%(default)s]")
    parser.add_argument("--only", choices=groups, help="one group of works")
    parser.add_argument("--repeat", type=int, default=21, help="runs that count [%(default)s]")
    parser.add_argument("--halve", type=int, default=0, metavar="TIMES", help="how often every length is halved [%(default)s]")
    parsed = parser.parse_args(words)
    if parsed.repeat < 1 or parsed.halve < 0:
        parser.error("--repeat takes 1 or more, --halve 0 or more")
    return parsed


def main(words: Sequence[str]) -> int:
    """Measures and prints; gives the exit code."""
    asked = arguments(words)
    with tempfile.TemporaryDirectory() as folder:
        measured = Measured(Papillon(asked.papillon, asked.device, asked.repeat, Path(folder)), asked.halve)
        try:
            lines = [measured.line(mark) for mark in MARKS if asked.only in (None, mark.group)]
        except Failure as failure:
            print(f"marks.py: {failure}", file=sys.stderr)
            return 1
    print(table([HEADINGS, *lines]))
    return 1 if any("missed" in line[-2] for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
