"""Renders butterfly.png, chord.wav and daylight.csv, the samples in the program. Needs numpy and Pillow."""
import datetime
import math
import os
import wave

import numpy as np
from PIL import Image

os.chdir(os.path.dirname(os.path.abspath(__file__)))
SIDE, OVER = 512, 3
random = np.random.default_rng(1965)


def smooth_noise(n, cells):
    """Noise of n × n values with about that many cells a side, 0 to 1."""
    coarse = Image.fromarray(random.random((cells + 3, cells + 3)).astype(np.float32))
    return np.asarray(coarse.resize((n, n), Image.Resampling.BICUBIC))


def step(edge, x, width):
    return 1 / (1 + np.exp(np.clip(-(x - edge) / width, -60, 60)))


def radius(theta, table):
    """Outline of a wing: a smooth curve through (degrees, radius)."""
    degrees, radii = np.array(table, float).T
    at = np.clip(np.degrees(theta), degrees[0], degrees[-1])
    index = np.clip(np.searchsorted(degrees, at) - 1, 0, len(degrees) - 2)
    part = (at - degrees[index]) / (degrees[index + 1] - degrees[index])
    part = part * part * (3 - 2 * part)
    return radii[index] * (1 - part) + radii[index + 1] * part


def over(picture, colour, cover):
    """`colour`, of one point or of all, where `cover` is 1."""
    return picture * (1 - cover[..., None]) + np.asarray(colour, float) * cover[..., None]


FOREWING = [(-14, 0.02), (-6, 0.40), (8, 0.56), (20, 0.66), (34, 0.80), (44, 0.90), (50, 0.82), (57, 0.45), (66, 0.02)]
HINDWING = [(-86, 0.02), (-76, 0.40), (-66, 0.60), (-58, 0.56), (-50, 0.60), (-42, 0.55), (-34, 0.57), (-24, 0.52), (-14, 0.50), (-2, 0.40), (8, 0.02)]


def wing(picture, x, y, table, inner, outer, veins):
    """One pair of wings about the origin; y points up, the left one mirrors the right one."""
    theta, r = np.arctan2(y, np.abs(x) - 0.025), np.hypot(np.abs(x) - 0.025, y)
    reach = radius(theta, table) + 1e-6
    t = r / reach
    inside = step(0, (1 - t) * reach, 0.0025)
    low, high = np.radians(table[0][0]), np.radians(table[-1][0])
    along = (theta - low) / (high - low) * veins
    near = np.abs(along - np.round(along)) * r * (high - low) / veins
    shade = np.clip(t, 0, 1)[..., None] ** 1.4
    colour = np.asarray(inner, float) * (1 - shade) + np.asarray(outer, float) * shade
    # Scales lie like tiles: rows across the veins, each row shifted by half a scale.
    rows = r * 150
    tiles = 0.5 + 0.5 * np.cos(2 * np.pi * rows) * np.cos(2 * np.pi * (theta * 46 + 0.5 * np.floor(rows)))
    colour = colour * (0.86 + 0.2 * tiles[..., None]) * (0.85 + 0.3 * smooth_noise(len(x), 40)[..., None])
    ink = (0.09, 0.05, 0.06)
    colour = over(colour, ink, step(0.80, t + 0.025 * np.cos(2 * np.pi * along), 0.012))
    colour = over(colour, ink, step(-0.0045, -near, 0.0012))
    for ring, size, light in [(0.93, 0.020, (0.98, 0.95, 0.86)), (0.845, 0.012, (0.99, 0.80, 0.45))]:
        middle = np.floor(along) + 0.5
        away = np.hypot((along - middle) * r * (high - low) / veins, (t - ring) * reach)
        # The first and the last cell are the edges of the wing.
        whole = (middle > 1) & (middle < veins - 1)
        colour = over(colour, light, step(-size, -away, 0.0025) * whole)
    return over(picture, colour, inside)


def meadow(n, x, y):
    """Light through leaves, out of focus."""
    picture = np.empty((n, n, 3))
    glow = np.exp(-((x - 0.45) ** 2 + (y - 0.6) ** 2) / 0.9)
    picture[:] = (0.12, 0.27, 0.22)
    picture += glow[..., None] * np.array([0.42, 0.42, 0.16])
    picture *= (0.7 + 0.6 * smooth_noise(n, 5))[..., None]
    for _ in range(34):
        cx, cy, size = random.uniform(-1.1, 1.1), random.uniform(-1.1, 1.1), random.uniform(0.05, 0.17)
        disc = step(-size, -np.hypot(x - cx, y - cy), 0.006) * random.uniform(0.05, 0.2)
        picture = over(picture, (0.92, 0.93, 0.62), disc)
    return picture


def butterfly():
    n = SIDE * OVER
    rows, columns = np.mgrid[0:n, 0:n]
    x, y = (columns + 0.5) / n * 2 - 1, 1 - (rows + 0.5) / n * 2
    picture = meadow(n, x, y)
    turn = np.radians(-14)
    u, v = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
    u, v = u / 1.12, v / 1.12 + 0.02
    shadow = step(0, radius(np.arctan2(v + 0.06, np.abs(u - 0.05)), FOREWING) - np.hypot(u - 0.05, v + 0.06), 0.03)
    picture *= 1 - 0.35 * shadow[..., None]
    picture = wing(picture, u, v + 0.05, HINDWING, (1.0, 0.78, 0.30), (0.82, 0.26, 0.08), 9)
    picture = wing(picture, u, v - 0.02, FOREWING, (1.0, 0.62, 0.16), (0.86, 0.22, 0.06), 8)
    for end in (-1, 1):
        bow = 0.05 + 0.20 * np.clip((v - 0.22) / 0.36, 0, 1) ** 1.3
        feeler = step(-0.006, -np.abs(end * u - bow + 0.04), 0.002) * (v > 0.22) * (v < 0.56)
        knob = step(-0.016, -np.hypot(end * u - 0.205, v - 0.56), 0.003)
        picture = over(picture, (0.07, 0.05, 0.05), np.maximum(feeler, knob))
    body = np.hypot(u / 0.034, (v + 0.06) / 0.33)
    fur = (0.16, 0.10, 0.08) + 0.10 * np.cos(v * 95)[..., None] * (v < -0.02)[..., None] + 0.25 * np.clip(1 - np.abs(u + 0.008) / 0.03, 0, 1)[..., None]
    picture = over(picture, fur, step(-1, -body, 0.05))
    fine = np.clip(picture, 0, 1).reshape(SIDE, OVER, SIDE, OVER, 3).mean(axis=(1, 3))
    return screened(fine)


def screened(picture):
    """A printer's screen: dots on a lattice at 30 degrees, larger where the picture is darker, mixed with the picture itself."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    # Whole cycles over the side: the lattice falls on single points of the spectrum.
    a = np.cos(2 * np.pi * (98 * columns + 57 * rows) / SIDE)
    b = np.cos(2 * np.pi * (-57 * columns + 98 * rows) / SIDE)
    threshold = 0.5 + 0.25 * (a + b)
    dots = step(0, picture - threshold[..., None], 0.11)
    mixed = 0.66 * picture + 0.34 * dots
    return np.clip(np.rint(255 * mixed ** 0.85), 0, 255).astype(np.uint8)


def chord(rate=22050, seconds=2.5):
    """Three strings of Karplus and Strong (1983), plucked one after the other."""
    total = np.zeros(int(rate * seconds))
    for number, (frequency, level) in enumerate([(220.0, 1.0), (277.18, 0.8), (329.63, 0.8)]):
        period = int(rate / frequency - 0.5)
        string = random.uniform(-1, 1, period)
        # A finger is no needle: the pluck is smoothed.
        string = 0.25 * np.roll(string, 1) + 0.5 * string + 0.25 * np.roll(string, -1)
        string -= string.mean()
        start = int(rate * 0.12 * number)
        for n in range(start, len(total)):
            k = (n - start) % period
            total[n] += level * string[k]
            string[k] = 0.4985 * (string[k] + string[(k + 1) % period])
    fade = np.clip((len(total) - np.arange(len(total))) / (0.1 * rate), 0, 1)
    total *= fade * 0.9 / np.abs(total).max()
    with wave.open("chord.wav", "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.rint(32767 * total).astype("<i2").tobytes())


def daylight():
    """Hours between sunrise and sunset in Trondheim, every Sunday of eight years, by the declination of the sun (D. Spencer 1971)."""
    latitude = math.radians(63.43)
    lines = ["date,daylight (h),place"]
    for week in range(418):
        day = datetime.date(2016, 1, 3) + datetime.timedelta(weeks=week)
        first = datetime.date(day.year, 1, 1)
        angle = 2 * math.pi * ((day - first).days + 0.5) / ((datetime.date(day.year + 1, 1, 1) - first).days)
        declination = (0.006918 - 0.399912 * math.cos(angle) + 0.070257 * math.sin(angle) - 0.006758 * math.cos(2 * angle)
                       + 0.000907 * math.sin(2 * angle) - 0.002697 * math.cos(3 * angle) + 0.00148 * math.sin(3 * angle))
        # The upper edge of the sun stands at the horizon, and the air lifts it.
        height = math.radians(-0.833)
        cosine = (math.sin(height) - math.sin(latitude) * math.sin(declination)) / (math.cos(latitude) * math.cos(declination))
        hours = 24 / math.pi * math.acos(max(-1.0, min(1.0, cosine)))
        lines.append(f"{day},{hours:.2f},Trondheim")
    with open("daylight.csv", "w") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    daylight()
    Image.fromarray(butterfly()).save("butterfly.png", optimize=True)
    chord()
