"""Public names are documented: every docstring passes numpydoc's checks, and the reference lists every name."""

import importlib
import inspect
import re
import tomllib
from pathlib import Path

import pytest
from numpydoc.validate import validate

ROOT = Path(__file__).parents[1]
PACKAGES = (
    "privileged",
    "ranking",
    "events",
    "video",
    "networks",
    "words",
    "proximal",
    "model_selection",
    "metrics",
    "plots",
    "persistence",
    "datasets",
    "features",
    "trees",
    "experiments",
    "report",
    "engine",
)


def excluded_checks():
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    checks = configuration["tool"]["numpydoc_validation"]["checks"]
    assert checks[0] == "all"
    return set(checks[1:])


def public_names():
    """Names of public functions, classes, and their methods that this package defines."""
    for package in PACKAGES:
        module = importlib.import_module(f"widemargin.{package}")
        for name in module.__all__:
            item = getattr(module, name)
            # numpydoc asks a protocol for the parameters of a constructor that it does not have.
            is_protocol = getattr(item, "_is_protocol", False)
            if inspect.isfunction(item) or (inspect.isclass(item) and not is_protocol):
                yield f"widemargin.{package}.{name}"
            if inspect.isclass(item):
                for attribute, value in inspect.getmembers(item):
                    defined_here = getattr(inspect.unwrap(value), "__module__", "") or ""
                    if (
                        not attribute.startswith("_")
                        and callable(value)
                        and defined_here.startswith("widemargin")
                    ):
                        yield f"widemargin.{package}.{name}.{attribute}"


@pytest.mark.parametrize("name", list(public_names()))
def test_docstring_passes_numpydoc_validation(name):
    excluded = excluded_checks()
    errors = [f"{code}: {text}" for code, text in validate(name)["errors"] if code not in excluded]
    assert errors == []


@pytest.mark.parametrize(
    "package",
    [
        "privileged",
        "ranking",
        "events",
        "proximal",
        "model_selection",
        "metrics",
        "plots",
        "persistence",
        "datasets",
        "features",
        "trees",
    ],
)
def test_reference_lists_every_public_name(package):
    reference = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    section = re.search(rf"currentmodule:: widemargin\.{package}\n(.*?)```", reference, re.DOTALL)[1]
    listed = re.findall(r"^   (\w+)$", section, re.MULTILINE)
    assert sorted(listed) == sorted(importlib.import_module(f"widemargin.{package}").__all__)
