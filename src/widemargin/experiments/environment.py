"""Where a result comes from: versions of the packages that computed it, and the machine."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from widemargin.engine import check_n_jobs

__all__ = ["describe_machine", "describe_versions"]

PACKAGES = ("widemargin", "numpy", "scipy", "scikit-learn", "joblib", "threadpoolctl", "matplotlib")


def describe_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that results depend on.

    Returns
    -------
    dict of str to str
        Version by name; "not installed" for a package that is missing.
    """
    versions = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return versions


def describe_machine() -> dict[str, str]:
    """Return what about this machine matters for durations.

    Returns
    -------
    dict of str to str
        Operating system, processor, cores that this process may use, memory.
    """
    return {
        "operating system": platform.platform(),
        "processor": _processor(),
        "cores": str(check_n_jobs(-1)),
        "memory": _memory(),
    }


def _processor() -> str:
    """Name of the processor; `platform.processor` is empty or only the architecture on Linux."""
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory() -> str:
    """Physical memory, where the operating system tells it without further packages."""
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.1f} GiB"
    except (AttributeError, ValueError, OSError):
        return "unknown"
