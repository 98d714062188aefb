"""What is installed is what the repository says: version, compiled module, data files, and the code in its texts."""

import re
import subprocess
import sys
import tomllib
from importlib import resources
from importlib.metadata import entry_points, version
from pathlib import Path

import pytest

import widemargin
from widemargin import _native

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def code_blocks(text):
    """Python code of a page, one string: later blocks use the names of earlier ones."""
    return "\n".join(
        re.findall(r"^```python\n(.*?)^```$", text.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    )


def test_version_is_that_of_pyproject():
    assert widemargin.__version__ == version("widemargin") == PROJECT["project"]["version"]


def test_changelog_has_the_version():
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == PROJECT["project"]["version"]


def test_native_module_is_the_compiled_one_of_this_package():
    assert _native.__name__ == "widemargin._native"
    assert Path(_native.__file__).suffix in {".so", ".pyd"}


def test_tests_see_one_copy_of_the_package():
    # Modules imported from the source tree, beside those installed, would test something else than what users get.
    home = Path(widemargin.__file__).parent
    modules = [module for name, module in sys.modules.items() if name.startswith("widemargin.")]
    files = [Path(module.__file__) for module in modules if module is not _native]
    assert [file for file in files if not file.is_relative_to(home)] == []


def test_report_template_and_style_are_installed():
    report = resources.files("widemargin.report")
    for name in ("page.html.j2", "style.css"):
        assert report.joinpath(name).read_text(encoding="utf-8")


def test_no_source_of_the_compiled_module_is_installed():
    if (ROOT / "src") in Path(widemargin.__file__).parents:
        pytest.skip("an editable installation is the source tree")
    assert not list(Path(widemargin.__file__).parent.rglob("*.cpp"))


def test_command_is_installed_and_runs_as_a_module():
    (command,) = entry_points(group="console_scripts", name="widemargin")
    assert command.value == "widemargin.cli.main:main"
    run = subprocess.run(
        [sys.executable, "-m", "widemargin", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout == f"widemargin {widemargin.__version__}\n"


@pytest.mark.parametrize("text", [text for text in TEXTS if code_blocks(text)], ids=lambda text: text.name)
def test_code_in_the_texts_runs_without_warning(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some of it writes files
    exec(compile(code_blocks(text), str(text), "exec"), {})


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.name)
def test_links_to_files_are_not_broken(text):
    links = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text.read_text(encoding="utf-8"))
    files = [link for link in links if "://" not in link]
    assert [link for link in files if not (text.parent / link).exists()] == []


def test_readme_gives_two_commands():
    first, second = re.findall(
        r"^pip install .*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert first == "pip install '.[all]' && widemargin reproduce"
    assert second == "pip install '.[all,test]' && pytest"
