#!/usr/bin/env python3
"""Every algorithm on one GPU in one run, beside the copies of the bytes that its own launches move.

    python3 benches/floors.py                         all families, 2^20 and 2^24, a launch a stage and tiles
    python3 benches/floors.py --only dft --sizes 2^14

papillon is built before (cargo build --release); it measures itself (`papillon bench`), each case with cold caches.
A ratio of 1 means that an algorithm is as fast as its own memory traffic allows. A ratio above the bound means that it is slow for another reason,
so that its time says nothing about the algorithm.

The exit code is 0 when every ratio is within its bound, 1 when one is not or something failed, 2 when the call was wrong.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from program import Failure, Papillon, found_program, table


@dataclass(frozen=True)
class Family:
    """Algorithms of one transform, and the largest ratio to the copies of their launches."""

    transform: str
    algorithms: str
    bound: float = 1.4
    schedules: tuple[str, ...] = ("stages", "tiles")
    options: tuple[str, ...] = ()


IN_PLACE_OR_NOT = "cooley-tukey,constant-geometry"
LEVELS = ("--levels", "8")
FAMILIES = [
    Family(
        "dft",
        "stockham,stockham-8,stockham-4,stockham-2,stockham-dit-8,stockham-dit-4,stockham-dit-2,"
        "cooley-tukey,cooley-tukey-dif,cooley-tukey-dit,constant-geometry,global-local-registers",
    ),
    *(Family(name, IN_PLACE_OR_NOT) for name in ("walsh", "reed-muller", "arithmetic", "kronecker", "haar")),
    Family("ntt", "stockham-2,stockham-4", schedules=("tiles",), options=("--preset", "babybear")),
    Family("cdf97", "direct,filter-bank", 1.5, ("stages",), LEVELS),
    Family("d4", "lifting,filter-bank", 1.5, ("stages",), LEVELS),
    Family("d4-packet", "filter-bank", 1.5, ("stages",), LEVELS),
    Family("tridiagonal", "cyclic-reduction", 1.5, ("stages",)),
]
HEADINGS = ("work", "schedule", "size", "launches", "papillon µs", "copies", "their µs", "ratio", "bound")


def rows(papillon: Papillon, family: Family, sizes: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The lines of the table of one family, and whether each is within the bound."""
    for schedule in family.schedules:
        output = papillon.folder / "bench.json"
        options = ("-a", family.algorithms, "--schedule", schedule, *family.options)
        papillon.bench(family.transform, sizes, *options)
        for measured in json.loads(output.read_text())["measurements"]:
            cells, is_met = row(measured, schedule, family)
            print("floors.py:", *cells, file=sys.stderr, flush=True)
            yield cells, is_met


def row(measured: dict[str, Any], schedule: str, family: Family) -> tuple[tuple[str, ...], bool]:
    """One line of the table."""
    micros = statistics.median(run for samples in measured["kernel_micros"] for run in samples)
    if measured["launch_copies_micros"] is None:
        raise Failure("the device has no copy to compare with: take a GPU")
    copies = measured["bytes_moved"] / measured["bytes_once"]
    floor = measured["launch_copies_micros"]
    is_met = micros <= family.bound * floor
    cells = (
        f"{family.transform} {measured['algorithm']}",
        schedule,
        str(measured["shape"]["columns"]),
        str(measured["n_launches"]),
        f"{micros:.1f}",
        f"{copies:.1f}",
        f"{floor:.1f}",
        f"{micros / floor:.2f}",
        f"{family.bound:g}, {'met' if is_met else 'missed'}",
    )
    return cells, is_met


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papillon", default=found_program(), metavar="PROGRAM", help="the program [%(default)s]")
    parser.add_argument("--device", default="gpu", help="its device, as in papillon bench -d [%(default)s]")
    parser.add_argument("--only", choices=[family.transform for family in FAMILIES], help="one transform")
    parser.add_argument("--sizes", default="2^20,2^24", help="as papillon bench takes them [%(default)s]")
    parser.add_argument("--repeat", type=int, default=9, help="runs that count [%(default)s]")
    return parser.parse_args(words)


def main(words: Sequence[str]) -> int:
    """Measures and prints; gives the exit code."""
    asked = arguments(words)
    lines, all_met = [], True
    with tempfile.TemporaryDirectory() as folder:
        papillon = Papillon(asked.papillon, asked.device, asked.repeat, Path(folder))
        for family in FAMILIES:
            if asked.only not in (None, family.transform):
                continue
            try:
                for cells, is_met in rows(papillon, family, asked.sizes):
                    lines.append(cells)
                    all_met &= is_met
            except Failure as failure:
                print(f"floors.py: {family.transform}: {failure}", file=sys.stderr)
                all_met = False
    print(table([HEADINGS, *lines]))
    return 0 if all_met else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
