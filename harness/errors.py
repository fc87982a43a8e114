"""Errors that are meant for people: what was found, where, and what to do."""

from __future__ import annotations


class UserError(Exception):
    """Wrong usage, config or bots, or a folder that cannot be written.

    The command ends with exit status 2 and just this message.
    """
