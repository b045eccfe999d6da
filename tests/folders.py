"""Where the tests find what they read: the repository, the recorded numbers, the built-in tables."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GOLDEN_FOLDER = ROOT / "tests" / "reference" / "golden"
SAMPLES_FOLDER = ROOT / "explorer" / "data" / "samples"
