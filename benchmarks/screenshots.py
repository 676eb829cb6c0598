"""Makes the README's pictures again: a real run's report in headless Chromium. Needs `pip install -e '.[browser]'`,
an installed Chromium and, to make the files small, Pillow.

    python benchmarks/screenshots.py [--to docs/screenshots]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the tests, whose browser this is, are no package that is installed

from tests.browser import Visit, chromium  # noqa: E402

LEMMA, WRONG = "backwardDenseFromLoop_addNode_push", "fold_ignores_order"
RUNS = {
    "proved": ("light", ["prove", "--all-sizes", "--bound", "3"]),
    "refuted": (
        "dark",
        ["prove", WRONG, LEMMA, "--bound", "2", "--encodings", "tests/false_lemmas.py"],
    ),
}
COLOURS = 128


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "screenshots")
    to = parser.parse_args().to
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        for name, (theme, command) in RUNS.items():
            report = Path(folder) / name
            subprocess.run(
                [sys.executable, "-m", "symtape", *command, "--report", str(report)],
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
                check=False,  # a refuted lemma is what one of them is for
            )
            shown = WRONG if name == "refuted" else LEMMA
            it = Visit(browser, report / "index.html", f"#lemma-{shown}", color_scheme=theme)
            it.page.locator(f".drawing a[data-name='{shown}']").evaluate(
                "each => each.scrollIntoView({inline: 'center'})"
            )
            it.page.locator("#graph").evaluate("each => each.scrollIntoView()")
            picture = to / f"{name}.png"
            it.page.screenshot(path=picture)
            it.close()
            Image.open(picture).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
                picture, optimize=True
            )
            print(f"{picture.name}: {picture.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
