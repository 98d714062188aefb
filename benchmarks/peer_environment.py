"""A virtual environment of its own for a benchmark: the peers, and this package built from the checkout."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = Path(__file__).resolve().parent / "environments"
# Read by the copies of OpenBLAS that the peers bring along, when they are loaded, and by OpenMP and Rayon.
THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
LAPACK = "scipy-openblas32"


def run_module(python: Path, module: str, arguments: list[str], *, one_thread: bool = True) -> int:
    """Run a module of this folder in such an environment, and return its exit code."""
    environment = dict(os.environ)
    if one_thread:
        environment |= dict.fromkeys(THREAD_VARIABLES, "1")
    command = [str(python), "-m", module, *arguments]
    folder = Path(__file__).resolve().parent
    return subprocess.run(command, env=environment, cwd=folder, check=False).returncode


def peer_environment(name: str, peers: list[str], *, built_with_lapack: Sequence[str] = ()) -> Path:
    """Make or update ``environments/<name>`` and return its Python interpreter.

    Peers clash with each other or are huge, so none of them is in the package's extras. The package is installed and
    not linked, and only when its sources have changed: what is measured does not change during a run. Peers that come
    as sources and link to LAPACK are built against the copy in the wheel `LAPACK`, so that a compiler is enough.
    """
    directory = ENVIRONMENTS / name
    python = directory / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = directory / "installed"
    everybody = [*peers, *built_with_lapack]
    wanted = _fingerprint(everybody)
    if python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return python
    print(
        f"Installing {', '.join(everybody)} and this checkout into {directory.relative_to(ROOT)} ...",
        flush=True,
    )
    fresh = not python.exists()
    if fresh:
        venv.create(directory, with_pip=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # A build directory of its own: the default one belongs to the developer's editable installation.
    build = ["--config-settings", f"build-dir={directory / 'build'}"]
    subprocess.run([*install, *peers, *build, str(ROOT)], check=True)
    if not fresh:
        # The version is the same, so that pip takes the package for installed.
        subprocess.run([*install, "--force-reinstall", "--no-deps", *build, str(ROOT)], check=True)
    if built_with_lapack:
        subprocess.run([*install, LAPACK], check=True)
        # Not from pip's cache: such a wheel holds the path of the environment that it was built in.
        subprocess.run(
            [*install, "--no-cache-dir", *built_with_lapack],
            env=dict(os.environ) | _lapack_flags(python, directory),
            check=True,
        )
    stamp.write_text(wanted)
    return python


def _lapack_flags(python: Path, directory: Path) -> dict[str, str]:
    """Flags with which ``-lblas -llapack`` mean the copy in the wheel, and names of LAPACK its names with a prefix."""
    code = f"import {LAPACK.replace('-', '_')} as lapack; print(lapack.get_lib_dir())"
    printed = subprocess.run([str(python), "-c", code], check=True, capture_output=True, text=True).stdout
    folder = Path(printed.strip())
    links = directory / "lapack"
    links.mkdir(exist_ok=True)
    for name in ("libblas.so", "liblapack.so"):
        (links / name).unlink(missing_ok=True)
        (links / name).symlink_to(folder / "libscipy_openblas.so")
    prefixed = " ".join(f"-D{name}_=scipy_{name}_" for name in ("dpttrf", "dpttrs"))
    return {"CPPFLAGS": prefixed, "LDFLAGS": f"-L{links} -Wl,-rpath,{folder}"}


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
