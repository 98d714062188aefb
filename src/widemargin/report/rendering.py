"""Templates, styles and scripts of the pages, all kept in one file each, and a policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

__all__ = ["readable", "render_template"]

_NO_CHARACTER = re.compile("[\ud800-\udfff]")
_CONTROLS = {code: 0x2400 + code for code in range(0x20)} | {0x7F: 0x2421}


def render_template(
    name: str,
    values: Mapping[str, Any],
    *,
    styles: Sequence[str],
    scripts: Sequence[str] = (),
    filters: Mapping[str, Callable[..., Any]] | None = None,
) -> str:
    """Fill in a template of this package, and put its styles and scripts inside.

    Parameters
    ----------
    name : str
        File name of the template. It finds ``style``, ``script`` and ``script_hash`` (for the content security policy,
        which then refuses every other script) beside its values.
    values : mapping of str to object
        What it shows. Every text is escaped, and what has no code in UTF-8 is replaced.
    styles, scripts : sequence of str
        File names in this package, in the order in which they are put together.
    filters : mapping of str to callable or None, default=None
        Filters for the template beside Jinja's own.

    Returns
    -------
    str
        The page.
    """
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_encodable,
        loader=FunctionLoader(_read),
    )
    environment.filters.update(filters or {})
    script = "".join(_read(part) for part in scripts)
    # The text of the element is hashed as it stands, with the line break after the opening tag.
    digest = hashlib.sha256(f"\n{script}".encode()).digest()
    return environment.get_template(name).render(
        {
            **values,
            "style": Markup("".join(_read(part) for part in styles)),
            "script": Markup(script),
            "script_hash": f"sha256-{base64.b64encode(digest).decode()}",
        }
    )


def readable(text: str) -> str:
    r"""Return a name on one line: line breaks and other control characters as their symbols.

    Parameters
    ----------
    text : str
        Such as the name of a file.

    Returns
    -------
    str
        The same without characters that are not seen.

    Examples
    --------
    >>> readable("two\nlines.mp4")
    'two␊lines.mp4'
    """
    return text.translate(_CONTROLS)


def _read(name: str) -> str:
    return files("widemargin.report").joinpath(name).read_text(encoding="utf-8")


def _encodable(value: Any) -> Any:
    """Put a replacement for halves of characters, which stand for bytes of file names that are not UTF-8."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", value)
    return value
