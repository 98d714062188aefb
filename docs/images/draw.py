"""Draw the pictures of README.md again: ``python docs/images/draw.py``."""

import runpy
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt

HERE = Path(__file__).parent
PICTURES = {"transferred_margins.png": "plot_transferred_margins.py"}

for picture, example in PICTURES.items():
    runpy.run_path(str(HERE.parents[1] / "examples" / example))
    plt.gcf().savefig(HERE / picture, dpi=90)
    plt.close("all")
