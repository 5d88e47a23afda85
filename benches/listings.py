#!/usr/bin/env python3
"""The listings of the global and the local kernel in CUDA C and OpenCL C, compiled, run and compared with the definition.

    python3 benches/listings.py                 both languages, as far as this machine has a compiler
    python3 benches/listings.py cuda
    python3 benches/listings.py opencl

It needs numpy. OpenCL needs pyopencl and a driver, which may be pocl on a CPU.
CUDA needs NVRTC (libnvrtc) or nvcc, and a CUDA GPU with its driver; no other library.
The kernels are the files of assets/listings/. The host launches the global kernel for each stage that a block cannot hold, and then the local kernel once.
Up to 4096 points, results are compared with the sum that defines the transform, in double precision; beyond, with numpy.fft.

The exit code is 0 when every language that was asked for has run and agrees, 1 when something failed or disagrees, 2 when a compiler or a device is missing.
"""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from program import ROOT, Failure, cuda_library, table

LISTINGS = ROOT / "assets" / "listings"
# Points of a transform and threads of a block: one block, several, and the sizes of the thesis.
CASES = [(2, 1), (16, 2), (16, 8), (256, 4), (1 << 10, 512), (1 << 12, 256), (1 << 16, 1024), (1 << 20, 512), (1 << 20, 1024)]
# Beyond this many points the sum that defines the transform takes too long.
MOST_DEFINED = 1 << 12
# Single precision, with sines and cosines of single precision in up to twenty stages.
AGREEMENT = 5e-6


class Missing(Failure):
    """A compiler or a device that is not there."""


class Language(Protocol):
    """A language whose kernels this machine compiles and runs."""

    name: str
    compiler: str
    device: str

    def most_threads(self) -> int:
        """Threads that a block may have."""

    def transform(self, samples: Any, threads: int) -> Any:
        """The transform of complex numbers, with so many threads a block."""


def text(name: str) -> str:
    """A listing."""
    return (LISTINGS / name).read_text()


def stages(n: int, threads: int) -> list[tuple[int, float]]:
    """Distance and angle of each stage that a block of two points a thread cannot hold."""
    distances = [n >> s for s in range(1, n.bit_length()) if n >> s >= 2 * threads]
    return [(distance, -math.pi / distance) for distance in distances]


class OpenCl:
    """OpenCL C by pyopencl."""

    name = "OpenCL C"

    def __init__(self) -> None:
        try:
            import pyopencl as cl

            self.cl, (device, *_) = cl, cl.create_some_context(interactive=False).devices
        except Exception as error:  # No library and no driver fail in different ways, and each means that nothing can run.
            raise Missing(f"OpenCL: {' '.join(str(error).split())}") from error
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.device, self.compiler = device.name, f"{device.platform.name}, {device.version}"
        programs = [cl.Program(self.context, text(name)).build(options=["-Werror"]) for name in ("global.cl", "local.cl")]
        self.kernels = [cl.Kernel(program, name) for program, name in zip(programs, ("global_kernel", "local_kernel"))]

    def most_threads(self) -> int:
        info = self.cl.kernel_work_group_info.WORK_GROUP_SIZE
        return min(kernel.get_work_group_info(info, self.context.devices[0]) for kernel in self.kernels)

    def transform(self, samples: Any, threads: int) -> Any:
        import numpy as np

        cl, (global_kernel, local_kernel), n = self.cl, self.kernels, samples.size
        data = cl.Buffer(self.context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=samples)
        output = cl.Buffer(self.context, cl.mem_flags.READ_WRITE, samples.nbytes)
        for distance, angle in stages(n, threads):
            global_kernel(self.queue, (n // 2,), (threads,), data, np.uint32(distance), np.float32(angle))
        angle, unused = np.float32(-math.pi / threads), np.uint32(33 - n.bit_length())
        local_kernel(self.queue, (n // 2,), (threads,), data, output, angle, unused, cl.LocalMemory(16 * threads))
        result = np.empty_like(samples)
        cl.enqueue_copy(self.queue, result, output)
        return result


class Cuda:
    """CUDA C by NVRTC or nvcc, launched by the driver's own functions."""

    name = "CUDA C"

    def __init__(self) -> None:
        try:
            self.driver = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise Missing(f"CUDA: {error}") from error
        try:
            self.call("cuInit", 0)
        except Failure as failure:
            raise Missing(f"CUDA: {failure}") from failure
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, 256, device)
        self.device = name.value.decode()
        # The numbers of cuDeviceGetAttribute for the compute capability.
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(major), 75, device)
        self.call("cuDeviceGetAttribute", ctypes.byref(minor), 76, device)
        self.compiler, compiled = compiler_of_cuda(f"compute_{major.value}{minor.value}")
        self.kernels = [self.kernel(compiled(text(file)), name) for file, name in (("global.cu", b"global_kernel"), ("local.cu", b"local_kernel"))]

    def call(self, name: str, *arguments: Any) -> None:
        """Calls a function of the driver, which gives 0 where it succeeds."""
        code = getattr(self.driver, name)(*arguments)
        if code != 0:
            raise Failure(f"{name} failed with {code}")

    def kernel(self, ptx: bytes, name: bytes) -> ctypes.c_void_p:
        """A kernel of compiled text."""
        module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), ptx)
        self.call("cuModuleGetFunction", ctypes.byref(kernel), module, name)
        return kernel

    def launch(self, kernel: ctypes.c_void_p, blocks: int, threads: int, shared: int, *arguments: Any) -> None:
        """Launches a kernel."""
        places = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
        self.call("cuLaunchKernel", kernel, blocks, 1, 1, threads, 1, 1, shared, None, places, None)

    def most_threads(self) -> int:
        most = ctypes.c_int()
        # 0 asks for the threads that a block of this kernel may have.
        self.call("cuFuncGetAttribute", ctypes.byref(most), 0, self.kernels[1])
        return most.value

    def transform(self, samples: Any, threads: int) -> Any:
        import numpy as np

        n, (data, output) = samples.size, (ctypes.c_void_p(), ctypes.c_void_p())
        for buffer in (data, output):
            self.call("cuMemAlloc_v2", ctypes.byref(buffer), ctypes.c_size_t(samples.nbytes))
        self.call("cuMemcpyHtoD_v2", data, ctypes.c_void_p(samples.ctypes.data), ctypes.c_size_t(samples.nbytes))
        blocks = n // 2 // threads
        for distance, angle in stages(n, threads):
            self.launch(self.kernels[0], blocks, threads, 0, data, ctypes.c_uint(distance), ctypes.c_float(angle))
        angle, unused = ctypes.c_float(-math.pi / threads), ctypes.c_uint(33 - n.bit_length())
        self.launch(self.kernels[1], blocks, threads, 16 * threads, data, output, angle, unused)
        result = np.empty_like(samples)
        self.call("cuMemcpyDtoH_v2", ctypes.c_void_p(result.ctypes.data), output, ctypes.c_size_t(samples.nbytes))
        for buffer in (data, output):
            self.call("cuMemFree_v2", buffer)
        return result


def compiler_of_cuda(architecture: str) -> tuple[str, Callable[[str], bytes]]:
    """The compiler of this machine and its version, and what makes PTX of a text."""
    try:
        nvrtc = cuda_library("nvrtc")
    except Failure as failure:
        nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
        if nvcc is None:
            raise Missing(f"CUDA: {failure}, or nvcc") from failure
        version = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=False).stdout.strip().splitlines()
        return version[-1] if version else nvcc, lambda source: by_nvcc(nvcc, source, architecture)
    major, minor = ctypes.c_int(), ctypes.c_int()
    nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return f"NVRTC {major.value}.{minor.value}", lambda source: by_nvrtc(nvrtc, source, architecture)


def by_nvcc(nvcc: str, source: str, architecture: str) -> bytes:
    """PTX by the compiler of the toolkit."""
    with tempfile.TemporaryDirectory() as folder:
        place, result = Path(folder, "kernel.cu"), Path(folder, "kernel.ptx")
        place.write_text(source)
        done = subprocess.run([nvcc, "--ptx", f"-arch={architecture}", "-o", str(result), str(place)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"nvcc: {done.stderr.strip()}")
        return result.read_bytes()


def by_nvrtc(nvrtc: ctypes.CDLL, source: str, architecture: str) -> bytes:
    """PTX by the library that compiles at run time."""
    program, option = ctypes.c_void_p(), f"--gpu-architecture={architecture}".encode()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"listing.cu", 0, None, None)
    code = nvrtc.nvrtcCompileProgram(program, 1, (ctypes.c_char_p * 1)(option))
    part = "ProgramLog" if code else "PTX"
    size = ctypes.c_size_t()
    getattr(nvrtc, f"nvrtcGet{part}Size")(program, ctypes.byref(size))
    result = ctypes.create_string_buffer(size.value)
    getattr(nvrtc, f"nvrtcGet{part}")(program, result)
    if code:
        raise Failure(f"NVRTC: {result.value.decode().strip()}")
    return result.value


def defined(samples: Any) -> Any:
    """The transform by the sum that defines it, in double precision; by numpy where that takes too long."""
    import numpy as np

    exact, n = samples.astype(np.complex128), samples.size
    if n > MOST_DEFINED:
        return np.fft.fft(exact)
    k = np.arange(n)
    return np.exp(-2j * np.pi / n * (np.outer(k, k) % n)) @ exact


def compared(language: Language) -> int:
    """Runs all cases, prints how far they are from the definition, and counts those that are too far."""
    import numpy as np

    print(f"{language.name}: compiled by {language.compiler}, run on {language.device}", flush=True)
    generator, rows, n_wrong = np.random.default_rng(1), [("points", "threads a block", "launches", "compared with", "error")], 0
    for n, threads in CASES:
        if threads > language.most_threads():
            rows.append((str(n), str(threads), "-", "-", f"this device has {language.most_threads()} threads a block"))
            continue
        samples = generator.standard_normal((n, 2)).astype(np.float32).view(np.complex64)[:, 0].copy()
        exact = defined(samples)
        error = float(np.linalg.norm(language.transform(samples, threads) - exact) / np.linalg.norm(exact))
        # A result that is not a number is wrong, too.
        is_wrong = not error <= AGREEMENT
        n_wrong += is_wrong
        reference = "the definition" if n <= MOST_DEFINED else "numpy.fft"
        rows.append((str(n), str(threads), str(len(stages(n, threads)) + 1), reference, f"{error:.1e}{', too far' if is_wrong else ''}"))
    print(table(rows), flush=True)
    return n_wrong


def main(words: Sequence[str]) -> int:
    """Compiles, runs and compares; gives the exit code."""
    languages: dict[str, Callable[[], Language]] = {"cuda": Cuda, "opencl": OpenCl}
    if any(word not in languages for word in words):
        print(__doc__, file=sys.stderr)
        return 2
    code = 0
    for word in words or languages:
        try:
            code = max(code, min(compared(languages[word]()), 1))
        except Missing as missing:
            print(f"listings.py: {missing}", file=sys.stderr)
            code = 2
        except Failure as failure:
            print(f"listings.py: {failure}", file=sys.stderr)
            code = max(code, 1)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
