"""The examples in the docstrings of the installed package."""

import doctest
import importlib
import inspect
import io
import pkgutil

import matplotlib.pyplot as plt
import pytest

import widemargin

MODULES = [
    module.name
    for module in pkgutil.walk_packages(widemargin.__path__, "widemargin.")
    if module.name not in {"widemargin.__main__", "widemargin._native"}
]


def doctests_of(name):
    finder = doctest.DocTestFinder(exclude_empty=True)
    return [test for test in finder.find(importlib.import_module(name)) if test.examples]


@pytest.mark.parametrize("name", [name for name in MODULES if doctests_of(name)])
def test_docstring_examples(name):
    report = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctests_of(name):
        runner.run(test, out=report.write)
    plt.close("all")
    assert runner.failures == 0, report.getvalue()


def test_public_estimators_and_functions_have_examples():
    with_examples = {test.name for name in MODULES for test in doctests_of(name)}
    packages = (
        "privileged",
        "ranking",
        "events",
        "video",
        "networks",
        "words",
        "proximal",
        "plots",
        "features",
        "trees",
    )
    for package in (f"widemargin.{name}" for name in packages):
        public = importlib.import_module(package)
        for name in public.__all__:
            item = getattr(public, name)
            if not callable(item):
                continue
            is_error = inspect.isclass(item) and issubclass(item, Exception)
            if not is_error and f"{item.__module__}.{name}" not in with_examples:
                # Results are shown in the examples of the functions that return them.
                assert hasattr(item, "__dataclass_fields__"), f"{package}.{name} has no example"
