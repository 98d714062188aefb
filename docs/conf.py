"""Configuration of the documentation: ``sphinx-build -W --keep-going -b html docs docs/_build/html``."""

import re
from importlib.metadata import version as installed_version

import matplotlib
from docutils import nodes
from latex2mathml.converter import convert

matplotlib.use("Agg")

project = "widemargin"
author = "The widemargin developers"
project_copyright = author
release = version = installed_version("widemargin")

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "templates"]
templates_path = ["templates"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
# Links what it can, and shows the rest (parameters, symbols) as code.
default_role = "obj"

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"plot_",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "write_computation_times": False,
    "show_signature": False,
}

html_theme = "furo"
html_math_renderer = "mathml"
html_title = f"widemargin {version}"


def escape_initials(app, what, name, obj, options, lines):
    """Keep reStructuredText from reading the initial that opens a reference as the item of a list."""
    for k, line in enumerate(lines):
        lines[k] = re.sub(r"^(\s*\.\. \[\d+\]_? [A-Z])\. ", r"\1\. ", line)


def write_inline_formula(translator, node):
    """Write MathML, which a browser shows without a script, hence without a connection too."""
    translator.body.append(convert(node.astext(), display="inline"))
    raise nodes.SkipNode


def write_formula(translator, node):
    """Write a displayed formula; one that is wider than the page scrolls by itself."""
    # The padding is for limits under a sum, which browsers draw below the formula's own box.
    style = "overflow-x: auto; overflow-y: hidden; padding: 0.5em 0"
    translator.body.append(translator.starttag(node, "div", CLASS="math", style=style))
    translator.body.append(convert(node.astext(), display="block") + "</div>")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (write_inline_formula, None), (write_formula, None))
    # Before numpydoc, which takes the references apart.
    app.connect("autodoc-process-docstring", escape_initials, priority=100)
