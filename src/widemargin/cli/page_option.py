"""An option that may stand alone: ``--html`` without a file writes a page with a name of its own."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

__all__ = ["PageCommand"]

_OPTION = "--html"


class PageCommand(TyperCommand):
    """A command whose ``--html`` takes a file, or stands alone for ``events-NAME.html`` in the current folder."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give the option its file where it stands alone: as the last word, or before another option.

        Parameters
        ----------
        ctx : click.Context
            The context of the call.
        args : list of str
            The words of the command line.

        Returns
        -------
        list of str
            What is left of them.
        """
        words = list(args)
        for place, word in enumerate(words):
            if word == _OPTION and (place + 1 == len(words) or words[place + 1].startswith("-")):
                words[place] = f"{_OPTION}=events-{self.name}.html"
        return super().parse_args(ctx, words)
