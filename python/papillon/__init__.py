"""Fast transforms at work: spectra, filters and flow graphs of NumPy arrays, on the GPU or the CPU.

Each function is the command of the same name (``papillon spectrum --help``), with an array in place of the file. Options are keywords:
``--full-scale 2`` is ``full_scale=2``, and a switch such as ``--inverse`` is ``inverse=True``. ``help_of("spectrum")`` prints them.

Arrays hold bool, integers, float16 to float64, complex64 or complex128; they are copied, so that a thread may change them meanwhile.
An array of one dimension is a signal, one of two an image or, with ``rate``, the channels of a recording.

A wrong call raises ``ValueError``, an array of other objects ``TypeError``, and work that fails ``RuntimeError``; the message says what to do.
Ctrl+C ends the work. Notes on a result, as which algorithm ran and why, go to the logger ``papillon`` at the level INFO.
"""

from __future__ import annotations

import csv as _csv
import io as _io
import json as _json
import logging as _logging
import os as _os
import sys as _sys
import threading as _threading

import numpy as _np

# Mesa's search for a default device complains where there is no session of a desktop.
if not _os.environ.get("XDG_RUNTIME_DIR"):
    _os.environ.setdefault("NODEVICE_SELECT", "1")

from . import _papillon
from ._papillon import __version__

__all__ = [
    "Graph",
    "Picture",
    "Spectrogram",
    "Spectrum",
    "bench",
    "convolve",
    "filter",
    "graph",
    "help_of",
    "peaks",
    "register",
    "solve",
    "spectrogram",
    "spectrum",
    "tone",
    "transform",
]

_log = _logging.getLogger("papillon")
_one_at_a_time = _threading.Lock()
_started_in = None


class Picture:
    """An image that a command has drawn; a notebook shows it.

    ``png`` holds the bytes of the file, and ``save(path)`` writes them.
    """

    def __init__(self, png):
        self.png = png

    def _repr_png_(self):
        return self.png

    def save(self, path):
        """Writes the PNG file."""
        with open(path, "wb") as file:
            file.write(self.png)


class Spectrum:
    """The spectrum of a recording: ``values`` at ``frequencies``, and ``facts``, the texts of all that the numbers depend on, with their units."""

    def __init__(self, frequencies, values, facts):
        self.frequencies, self.values, self.facts = frequencies, values, facts

    def __repr__(self):
        return f"Spectrum of {len(self.values)} values, {self.facts.get('value', '')}"


class Spectrogram:
    """Spectra over time: ``values[k, m]`` is that of ``frequencies[k]`` in the frame whose middle is ``times[m]``; ``facts`` has the settings and units."""

    def __init__(self, times, frequencies, values, facts):
        self.times, self.frequencies, self.values, self.facts = times, frequencies, values, facts

    def __repr__(self):
        return f"Spectrogram of {len(self.frequencies)} frequencies and {len(self.times)} frames"


class Graph:
    """The flow graph of a plan, as it runs; a notebook draws it. :func:`graph` makes it."""

    def __init__(self, options, inputs):
        self._options, self._inputs = options, inputs
        self._data = self._svg = None

    def _written(self, ending):
        return _run("graph", (), {**self._options, "output": f"graph.{ending}"}, self._inputs)

    @property
    def data(self):
        """All of the graph as a dictionary: lanes, stages with their edges, launches, and with ``values`` those of every stage."""
        if self._data is None:
            self._data = _json.loads(self._written("json"))
        return self._data

    @property
    def svg(self):
        """The drawing as the text of an SVG file."""
        if self._svg is None:
            self._svg = self._written("svg").decode()
        return self._svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        """Writes the drawing (.svg, .pdf, .tex, …) or the data (.json, .csv, .hex) to a file."""
        content = self._written(_os.path.splitext(_os.fspath(path))[1][1:])
        with open(path, "wb") as file:
            file.write(content)

    @property
    def edges(self):
        """The edges as tuples (stage, from, to, coefficient), stages from 1; the coefficient is None where a stage is no linear map."""

        def coefficient(edge):
            return complex(edge["re"], edge["im"]) if "re" in edge else None

        stages = enumerate(self.data["stages"], 1)
        return [(stage, edge["from"], edge["to"], coefficient(edge)) for stage, entry in stages for edge in entry["edges"]]

    def _of_plan(self, command, **more):
        """What another command writes of the plan that the graph draws."""
        is_system = self.data["ring"] == "row"
        left_out = [name for name in _OF_GRAPHS if not (is_system and command == "matrix" and name == "values")]
        options = {name: value for name, value in self._options.items() if name in _options_of(command) and name not in left_out}
        if options.get("size") is None:
            shape = self._inputs["values"].shape
            options["size"] = shape[0] if is_system or len(shape) == 1 else "x".join(map(str, shape))
        options["algorithm"] = self.data["algorithm"]
        return _run(command, (), {**options, **more}, self._inputs)

    def matrix(self, stage=None):
        """The matrix of a stage, from 1, or of all stages: complex128 of shape (lanes, lanes), for at most 256 lanes."""
        how = {"product": True} if stage is None else {"stage": stage}
        text = self._of_plan("matrix", output="matrix.csv", **how).decode()
        return _np.array([[complex(cell.replace("i", "j")) for cell in line.split(",")] for line in text.splitlines()])

    def kernel(self, launch=None, language=None):
        """The text of the kernel of a launch, from 1, in WGSL or another language; without a number the list of the launches."""
        return self._of_plan("kernel", launch=launch, language=language).decode()

    def vectors(self):
        """The value of every lane after every stage: shape (stages + 1, lanes), of float64 or complex128; NaN where a lane holds none."""
        if "values" not in self._options:
            raise ValueError("the graph has no values: give graph(…, values=x)")
        _, rows = _table(self._written("csv"))
        names = rows[0][1:]
        cells = _numbers(rows[1:])[:, 1:].T
        if names[0] == "input_re":
            return cells[0::2] + 1j * cells[1::2]
        return cells.reshape(-1, 4, cells.shape[1]) if names[0] == "input_a" else cells


# What a graph alone has: how it is drawn, and on what it runs.
_OF_GRAPHS = ("values", "with", "device", "style", "fold", "layout", "output", "format")


def transform(x, name, algorithm=None, device="auto", **options):
    """Transforms an array by one of the transforms that ``papillon list`` names, as ``"dft"``, ``"walsh"`` or ``"cdf97-2"``.

    Args:
        x: a signal of shape (n,), signals of shape (rows, n), or an image.
        name: the transform.
        algorithm: one of its algorithms; without one the fastest for this size and device.
        device: auto, gpu, cpu, cpu-parallel, or an adapter's number or name.
        options: those of ``papillon transform``, as ``inverse=True``, ``order="sequency"``, ``precision="double"``, ``axis=0``.

    Returns:
        An array in natural order, in single precision unless the samples or ``precision`` are double; whole numbers where the transform has them.
    """
    options.update(transform=name, algorithm=algorithm, output="out.npy")
    return _array(_run("transform", ("x",), _on(device, options), {"x": x}))


def spectrum(x, rate=None, **options):
    """The spectrum of a recording as a :class:`Spectrum`, or that of an image as a :class:`Picture`.

    Args:
        x: samples of shape (n,), channels of shape (channels, n) with ``rate``, or an image of shape (rows, columns).
        rate: samples per second as a number, or a text such as ``"48kHz"`` or ``"12 per year"``.
        options: those of ``papillon spectrum``, as ``length=8192, overlap="50%"`` (Welch), ``quantity="density"``, ``db=True``, ``window="hann"``.
    """
    if rate is None and _np.ndim(x) > 1:
        return Picture(_run("spectrum", ("x",), {**options, "output": "out.png"}, {"x": x}))
    facts, rows = _table(_run("spectrum", ("x",), {**options, "rate": _rate(rate), "output": "out.csv"}, {"x": x}))
    frequencies, values = _numbers(rows[1:]).T
    return Spectrum(frequencies, values, facts)


def spectrogram(x, rate=None, picture=False, **options):
    """The spectra of the frames of a recording as a :class:`Spectrogram`, or with ``picture=True`` as a :class:`Picture`.

    Options are those of ``papillon spectrogram``, as ``length=1024, overlap="75%", method="reassigned", db=True``.
    """
    options = {**options, "rate": _rate(rate)}
    if picture:
        return Picture(_run("spectrogram", ("x",), {**options, "output": "out.png"}, {"x": x}))
    facts, rows = _table(_run("spectrogram", ("x",), {**options, "output": "out.csv"}, {"x": x}))
    values = _numbers([["nan", *rows[0][1:]], *rows[1:]])
    return Spectrogram(values[0, 1:], values[1:, 0], values[1:, 1:], facts)


def peaks(x, rate=None, count=10, **options):
    """The strongest peaks of the spectrum, as the dictionary that ``papillon peaks`` writes as JSON.

    Of a recording ``["peaks"]`` has frequency (Hz with ``rate``), amplitude, level (dB), phase (rad), width and period;
    of an image u and v in cycles per pixel, period (px), angle (degrees), magnitude and phase, and ``["lattice"]`` where they lie on one.
    """
    options.update(rate=_rate(rate), count=count, output="out.json")
    return _json.loads(_run("peaks", ("x",), options, {"x": x}))


def tone(x, rate=None, **options):
    """How pure a tone is: a dictionary with its frequency and level, THD, THD+N, SINAD, SNR, SFDR, ENOB and the noise floor.

    Options are those of ``papillon tone``, as ``at=1000, harmonics=5, band="20..20000"``.
    """
    return _json.loads(_run("tone", ("x",), {**options, "rate": _rate(rate), "json": True}, {"x": x}))


def filter(x, rate=None, device=None, **options):
    """An image or a recording without some of its frequencies, with the shape of ``x``.

    Options are those of ``papillon filter``, as ``low_pass=0.1, butterworth=4``, ``periodic_noise=True``.
    """
    return _array(_run("filter", ("x",), _on(device, {**options, "rate": _rate(rate), "output": "out.npy"}), {"x": x}))


def register(a, b, device=None, **options):
    """The shift of two images of the same shape: a dictionary with dx and dy in pixels, where b(x, y) = a(x − dx, y − dy), their deviations, and the peak."""
    return _json.loads(_run("register", ("a", "b"), _on(device, {**options, "json": True}), {"a": a, "b": b}))


def solve(rows, right=None, device="auto", algorithm=None, **options):
    """The unknowns of a tridiagonal system, shape (n,).

    Args:
        rows: shape (n, 4), a row a, b, c, d for each equation a·x[i−1] + b·x[i] + c·x[i+1] = d; or (n, 3) with ``right``.
        right: the right-hand sides, shape (n,).
        options: those of ``papillon solve``, as ``cyclic=True`` or ``precision="double"``.
    """
    inputs = {"rows": rows} if right is None else {"rows": rows, "right": right}
    options.update(algorithm=algorithm, right=None if right is None else "right", output="out.npy")
    return _array(_run("solve", ("rows",), _on(device, options), inputs))


def convolve(f, g, cyclic=False, device="auto", **options):
    """The convolution of two signals: dyadic, z[t] = Σ f[x]·g[x XOR t], of 2^n values, or cyclic, z[t] = Σ f[x]·g[(t − x) mod n], of any length."""
    options.update(cyclic=cyclic, output="out.npy")
    return _array(_run("convolve", ("f", "g"), _on(device, options), {"f": f, "g": g}))


def graph(transform, algorithm=None, n=None, values=None, **options):
    """The flow graph of an algorithm as a :class:`Graph`.

    Args:
        transform: one of those that ``papillon list`` names.
        algorithm: one of its algorithms that has a flow graph.
        n: values per row, or a text such as ``"8x8"``; not needed where there are ``values``.
        values: an array of this size; the plan runs on it, and the graph shows every value after every stage.
        options: those of ``papillon graph``, as ``inverse=True``, ``style="plain"``, ``schedule="stages"``, ``device="cpu"``.
    """
    inputs = {} if values is None else {"values": _np.asarray(values)}
    options = {**options, "transform": transform, "algorithm": algorithm, "size": n}
    if values is not None:
        options["values"] = "values"
    made = Graph(options, inputs)
    made.data  # so that a wrong call is told here
    return made


def bench(transform, sizes, algorithm=None, device=None, **options):
    """Measures the kernels of algorithms on devices: a list of dictionaries, one for each measurement, as the record of ``papillon bench`` has them.

    ``sizes`` is a number or a text such as ``"2^10..2^16"``; several names are separated by commas, or a list.
    """
    options.update(transform=transform, sizes=sizes, algorithm=algorithm, output="-")
    lines = _run("bench", (), _on(device, options), {}).decode().splitlines()
    return list(_csv.DictReader(line for line in lines if not line.startswith("#")))


def help_of(command=None):
    """Prints the help of a command, with all its options."""
    print(_run(command, (), {"help": True}, {}).decode() if command else _run("--help", (), {}, {}).decode())


def _options_of(command, _known={}):
    """The names of the options of a command, as keywords."""
    if command not in _known:
        text = _run(command, (), {"help": True}, {}).decode()
        words = (word.strip(" ,=[]") for line in text.splitlines() for word in line.split(" "))
        _known[command] = sorted({word[2:].replace("-", "_") for word in words if word.startswith("--")})
    return _known[command]


def _on(device, options):
    """Options with the device, unless it is that which a command takes by itself."""
    return options if device in (None, "auto") else {**options, "device": device}


def _rate(rate):
    """A rate as the command line has it: a number is in hertz."""
    return rate if rate is None or isinstance(rate, str) else f"{rate:g}Hz" if float(f"{rate:g}") == rate else f"{float(rate)!r}Hz"


def _words(options):
    """Options as they are typed."""
    for name, value in options.items():
        name = "--" + name.strip("_").replace("_", "-")
        if value is True or isinstance(value, _np.bool_) and value:
            yield name
        elif value is not None and not isinstance(value, (bool, _np.bool_)):
            values = value if isinstance(value, (list, tuple)) else [value]
            yield f"{name}={','.join(str(value) for value in values)}"


def _content(name, x):
    """An array as a file in memory, which keeps its type, shape, byte order and layout."""
    if isinstance(x, _np.ma.MaskedArray) and _np.ma.is_masked(x):
        raise ValueError(f"{name} has masked values: put a number in their place, as {name}.filled(0)")
    x = _np.asarray(x)
    if x.dtype.hasobject or x.dtype.kind not in "biufc":
        raise TypeError(f"{name} holds {x.dtype}, and no numbers: convert it, as {name}.astype(float)")
    if x.dtype.kind in "fc" and x.dtype.itemsize > (8 if x.dtype.kind == "f" else 16):
        x = x.astype(float if x.dtype.kind == "f" else complex)
    file = _io.BytesIO()
    _np.save(file, x, allow_pickle=False)
    return file.getvalue()


def _run(command, words, options, arrays):
    """What a command writes; the words name arrays."""
    global _started_in
    # Threads do not outlive a fork, so that a child would wait for them for ever.
    if _started_in not in (None, _os.getpid()):
        raise RuntimeError("this process was forked after papillon had begun to work: start it anew, as multiprocessing.get_context('spawn') does")
    inputs = [(name, _content(name, x)) for name, x in arrays.items()]
    with _one_at_a_time:
        _started_in = _os.getpid()
        output, notes = _papillon.call([command, *_words(options), *words], inputs)
    for note in notes:
        _log.info("%s", note)
    return output


def _table(content):
    """The settings of a CSV file, and its rows of cells."""
    lines = content.decode().splitlines()
    facts = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    return {name.replace(" ", "_"): text for name, text in facts.items()}, [line.split(",") for line in lines[len(facts) :]]


def _numbers(rows):
    """Cells as numbers, NaN where there is none."""
    return _np.array([[float(cell or "nan") for cell in row] for row in rows])


def _array(content):
    """The array of an NPY file."""
    return _np.load(_io.BytesIO(content), allow_pickle=False)


def _command():
    """The command ``papillon``."""
    return _papillon.main(_sys.argv)
