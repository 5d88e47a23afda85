"""Writes the files beside it with numpy, Pillow, tifffile, soundfile, FFmpeg, astropy, nibabel, pydicom and ImageMagick: decoders and encoders that share no code with Papillon.

Lossless files hold the values of a formula, which tests/core/files repeats.
For lossy files, FILE.npy holds what libjpeg, libmp3 or libvorbis decode.
"""
import os
import struct
import subprocess
import sys
import zipfile
import zlib

import numpy as np
import soundfile
import tifffile
from PIL import Image

os.chdir(os.path.dirname(os.path.abspath(__file__)))
ROWS, COLUMNS = 18, 21
r, c, k = np.meshgrid(np.arange(ROWS), np.arange(COLUMNS), np.arange(4), indexing="ij")
BYTES = ((37 * r + 11 * c + 71 * k) % 256).astype(np.uint8)
WORDS = ((4099 * r + 257 * c + 9001 * k) % 65536).astype(np.uint16)
FLOATS = (WORDS / 256.0 - 100.0).astype(np.float32)


def magick(source, *arguments):
    subprocess.run(["convert", source, *arguments], check=True)


def pictures():
    gray, rgb, rgba = BYTES[..., 0], BYTES[..., :3], BYTES
    Image.fromarray(gray).save("gray8.png")
    Image.fromarray(rgb).save("rgb8.png")
    Image.fromarray(rgba).save("rgba8.png")
    Image.fromarray(BYTES[..., :2]).save("la8.png")
    Image.fromarray(WORDS[..., 0]).save("gray16.png")
    Image.fromarray(gray % 2 * 255).convert("1").save("gray1.png")
    magick("gray8.png", "-interlace", "PNG", "gray8-interlaced.png")
    palette = Image.fromarray(gray % 16, "P")
    colours = [value for i in range(16) for value in (i, 255 - i, 10 * i)]
    palette.putpalette(colours)
    palette.save("palette.png")
    palette.save("palette.bmp")
    palette.save("palette.gif")
    palette.save("palette.tiff")
    second = palette.copy()
    second.putpalette(colours[::-1])
    palette.save("animated.gif", save_all=True, append_images=[second], loop=0)
    Image.fromarray(rgb).save("rgb8.bmp")
    Image.fromarray(rgb).save("rgb8.webp", lossless=True)
    Image.fromarray(rgba).save("rgba8.webp", lossless=True, exact=True)
    tifffile.imwrite("rgb16.tiff", WORDS[..., :3], photometric="rgb")
    magick("rgb16.tiff", "-depth", "16", "PNG48:rgb16.png")


def tiffs():
    gray = BYTES[..., 0]
    tifffile.imwrite("gray8.tiff", gray, compression="lzw", predictor=True)
    tifffile.imwrite("gray16-big-endian.tiff", WORDS[..., 0], byteorder=">", compression="deflate")
    tifffile.imwrite("float32.tiff", FLOATS[..., 0], compression="deflate", predictor=True)
    tifffile.imwrite("float64.tiff", FLOATS[..., 0].astype(np.float64))
    tifffile.imwrite("float16.tiff", (gray / 8).astype(np.float16))
    tifffile.imwrite("int16.tiff", (WORDS[..., 0].astype(np.int32) - 32768).astype(np.int16))
    tifffile.imwrite("uint32.tiff", WORDS[..., 0].astype(np.uint32) * 65537)
    tifffile.imwrite("planar.tiff", np.ascontiguousarray(BYTES[..., :3].transpose(2, 0, 1)), photometric="rgb", planarconfig="separate")
    tifffile.imwrite("tiled.tiff", BYTES[..., :3], photometric="rgb", tile=(16, 16), compression="deflate")
    tifffile.imwrite("pages.tiff", np.stack([gray, gray + 1]), photometric="minisblack")
    tifffile.imwrite("bigtiff.tiff", gray, bigtiff=True)
    tifffile.imwrite("inverted.tiff", 255 - gray, photometric="miniswhite")
    tifffile.imwrite("cmyk.tiff", BYTES, photometric="separated")
    Image.fromarray(gray % 2 * 255).convert("1").save("gray1.tiff")
    Image.fromarray(smooth()).save("jpeg.tiff", compression="jpeg", quality=95)
    np.save("jpeg.tiff.npy", np.asarray(Image.open("jpeg.tiff")))


def smooth():
    y, x = np.mgrid[0:40, 0:56]
    planes = [128 + 100 * np.sin(x / 9 + p) * np.cos(y / 7 - p) for p in range(3)]
    return np.stack(planes, axis=-1).astype(np.uint8)


def jpegs():
    picture = Image.fromarray(smooth())
    picture.convert("L").save("gray.jpg", quality=95)
    picture.save("rgb.jpg", quality=95, subsampling=0)
    picture.save("progressive.jpg", quality=95, subsampling=0, progressive=True)
    picture.convert("CMYK").save("cmyk-adobe.jpg", quality=95)
    data = open("cmyk-adobe.jpg", "rb").read()
    at = data.index(b"\xff\xee")
    assert data[at + 4 : at + 9] == b"Adobe" and data[at + 15] == 0
    # Transform 2 says that the same bytes are luminance, two differences and black.
    open("ycck-adobe.jpg", "wb").write(data[: at + 15] + b"\x02" + data[at + 16 :])
    # Without Adobe's segment nothing says that the inks are inverted.
    open("cmyk-plain.jpg", "wb").write(data[:at] + data[at + 16 :])
    for name in ["gray.jpg", "rgb.jpg", "progressive.jpg"]:
        np.save(name + ".npy", np.asarray(Image.open(name)))
    for name in ["cmyk-adobe.jpg", "ycck-adobe.jpg", "cmyk-plain.jpg"]:
        # Pillow inverts every CMYK file, as Adobe's marker asks for, so that this is ink where there is a marker.
        ink = np.asarray(Image.open(name)).astype(float)
        if name == "cmyk-plain.jpg":
            ink = 255 - ink
        rgb = (255 - ink[..., :3]) * (255 - ink[..., 3:]) / 255
        np.save(name + ".npy", np.rint(rgb).astype(np.uint8))


def turned():
    """A JPEG with EXIF data of a camera: orientation 6, 254 pixels in an inch."""
    entries = struct.pack("<HHIHH", 0x112, 3, 1, 6, 0) + struct.pack("<HHII", 0x11A, 5, 1, 50) + struct.pack("<HHII", 0x11B, 5, 1, 50)
    exif = b"Exif\0\0II*\0" + struct.pack("<IH", 8, 3) + entries + struct.pack("<III", 0, 254, 1)
    data = open("gray.jpg", "rb").read()
    open("turned.jpg", "wb").write(data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:])


def animations():
    """Two frames of 5 x 4 gray pixels as PNG, and the two images without loss as frames of a WebP."""
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    def rows(value):
        return zlib.compress(b"".join(b"\0" + bytes([(value + 10 * y + x) % 256 for x in range(5)]) for y in range(4)))

    def control(number):
        return chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, 5, 4, 0, 0, 1, 10, 0, 0))

    parts = [
        chunk(b"IHDR", struct.pack(">IIBBBBB", 5, 4, 8, 0, 0, 0, 0)),
        chunk(b"acTL", struct.pack(">II", 2, 0)),
        control(0),
        chunk(b"IDAT", rows(0)),
        control(1),
        chunk(b"fdAT", struct.pack(">I", 2) + rows(100)),
        chunk(b"IEND", b""),
    ]
    open("animated.png", "wb").write(b"\x89PNG\r\n\x1a\n" + b"".join(parts))

    def riff(name, body):
        return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)

    def frame(name):
        data = open(name, "rb").read()
        at = data.index(b"VP8L")
        (length,) = struct.unpack("<I", data[at + 4 : at + 8])
        size = struct.pack("<I", COLUMNS - 1)[:3] + struct.pack("<I", ROWS - 1)[:3]
        return riff(b"ANMF", bytes(6) + size + struct.pack("<I", 100)[:3] + b"\x02" + riff(b"VP8L", data[at + 8 : at + 8 + length]))

    size = struct.pack("<I", COLUMNS - 1)[:3] + struct.pack("<I", ROWS - 1)[:3]
    body = riff(b"VP8X", b"\x02\0\0\0" + size) + riff(b"ANIM", bytes(6)) + frame("rgb8.webp") + frame("rgba8.webp")
    open("animated.webp", "wb").write(b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body)


def arrays():
    real = FLOATS[..., 0].astype(np.float64)
    line = np.arange(10) - 4
    for name, array in {
        "float64": real,
        "fortran": np.asfortranarray(real),
        "float32-big-endian": real.astype(">f4"),
        "float16": (BYTES[..., 0] / 8).astype(np.float16),
        "int8": line.astype(np.int8),
        "int16": line.astype(">i2"),
        "int32": line.astype(np.int32),
        "int64": line * 10**15,
        "uint32": (np.arange(10) + 2**32 - 10).astype(np.uint32),
        "uint64": np.arange(10).astype(np.uint64),
        "bool": line % 3 == 0,
        "complex64": (line + 1j * line**2).astype(np.complex64),
        "complex128": (line + 1j * line**2).astype(">c16"),
        "rgb8": BYTES[..., :3],
        "rgba16-fortran": np.asfortranarray(WORDS),
        "scalar": np.float64(2.5),
    }.items():
        np.save(name + ".npy", array)
    np.savez_compressed("two.npz", first=real, second=line)
    with open("version2.npy", "wb") as file:
        np.lib.format.write_array(file, real, version=(2, 0))
    with zipfile.ZipFile("no-array.npz", "w") as archive:
        archive.writestr("readme.txt", "nothing here")


def tables():
    n = np.arange(20)
    squares = n * n % 7
    records = np.zeros(20, dtype=[("date", "M8[D]"), ("a (V)", "f4"), ("b", "f4")])
    records["date"] = np.datetime64("2021-01-01") + n
    records["a (V)"] = squares
    records["b"] = n
    np.save("records.npy", records)
    np.savez("columns.npz", t=n / 2, x=squares.astype(np.int16))


def volumes():
    from astropy.io import fits
    import nibabel
    import pydicom
    from pydicom.dataset import FileMetaDataset

    Image.fromarray(BYTES[..., 0]).save("gray8.pgm")
    Image.fromarray(BYTES[..., :3]).save("rgb8.ppm")
    Image.fromarray(FLOATS[..., 0]).save("float32.pfm")
    # Rows go upwards.
    sky = fits.PrimaryHDU(WORDS[::-1, :, 0])
    sky.header.update(CTYPE1="RA---TAN", CTYPE2="DEC--TAN", CDELT1=-0.25, CDELT2=0.25, BUNIT="adu")
    sky.writeto("gray16.fits", overwrite=True)
    volume = np.stack([FLOATS[::-1, :, 0].T, FLOATS[::-1, :, 1].T], axis=-1)
    brain = nibabel.Nifti1Image(volume, np.diag([0.5, 0.75, 3.0, 1.0]))
    brain.header.set_xyzt_units("mm")
    nibabel.save(brain, "float32.nii.gz")
    nibabel.save(brain, "float32.nii")
    body = pydicom.Dataset()
    body.SOPClassUID, body.SOPInstanceUID = pydicom.uid.SecondaryCaptureImageStorage, "1.2.3"
    body.Rows, body.Columns, body.SamplesPerPixel, body.PhotometricInterpretation = ROWS, COLUMNS, 1, "MONOCHROME2"
    body.BitsAllocated, body.BitsStored, body.HighBit, body.PixelRepresentation = 16, 16, 15, 0
    body.PixelSpacing = [0.75, 0.5]
    body.PixelData = WORDS[..., 0].tobytes()
    body.file_meta = FileMetaDataset()
    body.file_meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
    body.file_meta.MediaStorageSOPClassUID, body.file_meta.MediaStorageSOPInstanceUID = body.SOPClassUID, body.SOPInstanceUID
    body.save_as("gray16.dcm", enforce_file_format=True)


def recordings():
    n = np.arange(3000)
    stereo = np.stack([(n * 7919) % 65536 - 32768, (n * 104729) % 65536 - 32768], axis=1).astype(np.int16)
    soundfile.write("pcm16.wav", stereo, 8000, subtype="PCM_16")
    soundfile.write("pcm8.wav", stereo[:500], 8000, subtype="PCM_U8")
    soundfile.write("pcm24.wav", stereo[:500], 8000, subtype="PCM_24")
    soundfile.write("pcm32.wav", stereo[:500], 8000, subtype="PCM_32", format="WAVEX")
    soundfile.write("float32.wav", stereo[:500] / 32768, 8000, subtype="FLOAT")
    soundfile.write("float64.wav", stereo[:500] / 32768, 8000, subtype="DOUBLE")
    soundfile.write("mulaw.wav", stereo[:500], 8000, subtype="ULAW")
    np.save("mulaw.wav.npy", soundfile.read("mulaw.wav", dtype="float32")[0].T.copy())
    soundfile.write("pcm16.flac", stereo[:1500], 8000)
    soundfile.write("pcm16.aiff", stereo[:100], 8000, subtype="PCM_16")
    soundfile.write("sowt.aifc", stereo[:100], 8000, subtype="PCM_16", endian="LITTLE", format="AIFF")
    soundfile.write("pcm16.w64", stereo[:100], 8000, subtype="PCM_16", format="W64")
    t = np.arange(12000) / 16000
    tone = 0.4 * np.sin(2 * np.pi * 440 * t) + 0.2 * np.sin(2 * np.pi * 1320 * t + 1)
    soundfile.write("tone.mp3", tone, 16000, format="MP3")
    soundfile.write("tone.ogg", tone, 16000, format="OGG")
    short = np.sin(2 * np.pi * 440 * np.arange(4800) / 48000) / 2
    soundfile.write("tone.opus", short, 48000, format="OGG", subtype="OPUS")
    for name in ["tone.mp3", "tone.ogg", "tone.opus"]:
        np.save(name + ".npy", soundfile.read(name, dtype="float32")[0])
    soundfile.write("pcm16.au", stereo[:100], 8000, subtype="PCM_16")
    soundfile.write("pcm16.caf", stereo[:100], 8000, subtype="PCM_16")
    # soundfile does not write AAC.
    for coding, name in [("aac", "tone.m4a"), ("alac", "lossless.m4a"), ("aac", "tone.aac")]:
        wave = "tone.wav" if coding == "aac" else "stereo.wav"
        soundfile.write("tone.wav", short, 48000)
        soundfile.write("stereo.wav", stereo[:500], 8000, subtype="PCM_16")
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", wave, "-c:a", coding, "-bitexact", name], check=True)
    for name in ["tone.wav", "stereo.wav"]:
        os.remove(name)


if __name__ == "__main__":
    pictures()
    tiffs()
    jpegs()
    turned()
    animations()
    arrays()
    tables()
    volumes()
    recordings()
    size = sum(os.path.getsize(name) for name in os.listdir("."))
    print(f"{size} bytes", file=sys.stderr)
