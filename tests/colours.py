"""What people see of colours: contrast, and how far apart two are, also with the three common colour-blindnesses."""

from __future__ import annotations

from math import dist

Colour = tuple[float, float, float]
Matrix = tuple[Colour, Colour, Colour]

BLINDNESSES: dict[str, Matrix] = {
    "none": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    # Machado, Oliveira and Fernandes 2009, severity 1.0, for linear RGB
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(colour: str) -> Colour:
    """A colour like `#a9e3cd` as linear RGB."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return r, g, b


def contrast(text: str, background: str) -> float:
    """The contrast ratio of WCAG."""
    lights = (0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(text), linear(background)))
    lighter, darker = sorted(lights, reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def apart(one: str, other: str, blindness: str) -> float:
    """The distance in OKLab, where black and white are 1 apart and about 0.02 is the least that is noticed."""
    matrix = BLINDNESSES[blindness]
    return dist(*(_oklab(_times(matrix, linear(colour))) for colour in (one, other)))


def _times(matrix: Matrix, colour: Colour) -> Colour:
    x, y, z = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)
    return x, y, z


def _oklab(colour: Colour) -> Colour:
    cones = _times(
        (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        ),
        (max(0.0, colour[0]), max(0.0, colour[1]), max(0.0, colour[2])),
    )
    return _times(
        (
            (0.2104542553, 0.7936177850, -0.0040720468),
            (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660),
        ),
        (cones[0] ** (1 / 3), cones[1] ** (1 / 3), cones[2] ** (1 / 3)),
    )
