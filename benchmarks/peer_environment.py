"""A virtual environment of its own for a benchmark: the peers, and this package built from the checkout."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = Path(__file__).resolve().parent / "environments"


def peer_environment(name: str, peers: list[str]) -> Path:
    """Make or update ``environments/<name>`` and return its Python interpreter.

    Peers clash with each other or are huge, so none of them is in the package's extras. The package is installed and
    not linked, and only when its sources have changed: what is measured does not change during a run.
    """
    directory = ENVIRONMENTS / name
    python = directory / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = directory / "installed"
    wanted = _fingerprint(peers)
    if python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return python
    print(
        f"Installing {', '.join(peers)} and this checkout into {directory.relative_to(ROOT)} ...", flush=True
    )
    if not python.exists():
        venv.create(directory, with_pip=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # A build directory of its own: the default one belongs to the developer's editable installation.
    build = ["--config-settings", f"build-dir={directory / 'build'}"]
    subprocess.run([*install, *peers, *build, str(ROOT)], check=True)
    subprocess.run([*install, "--force-reinstall", "--no-deps", *build, str(ROOT)], check=True)
    stamp.write_text(wanted)
    return python


def _fingerprint(peers: list[str]) -> str:
    """Hash of everything that the installation is made from."""
    sources = [ROOT / "pyproject.toml", ROOT / "CMakeLists.txt"]
    kinds = {".py", ".cpp", ".h", ".j2", ".css"}
    sources += sorted(path for path in (ROOT / "src").rglob("*") if path.suffix in kinds)
    digest = hashlib.sha256(repr((sys.version, peers)).encode())
    for path in sources:
        digest.update(str(path.relative_to(ROOT)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
