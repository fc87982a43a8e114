"""A YAML file against a model: every error with file, line, key, and what was found."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from harness.errors import UserError

Model = TypeVar("Model", bound=BaseModel)

# What PyYAML lets through of a value that is none: a date of a 13th month, a number of 5,000
# digits, a character beyond the last one, a tag that does not fit.
ODD_VALUES = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)


def read_text(path: Path, where: str) -> str:
    """The text of a file; `where`: what to say of one that is missing. Raises UserError."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; {where}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read: {error}") from error


def parse(
    path: Path, text: str, model: type[Model], example: str, changes: dict[str, Any] | None = None
) -> Model:
    """The model that `text` describes, `changes` from the command line applied on top.

    `path` and `example` are only for the words of errors. Raises UserError that names file, line
    and key.
    """
    try:
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise not_yaml(path, error) from error
    except ODD_VALUES as error:
        raise UserError(f"{path}: a value makes no sense: {error}") from error
    if not isinstance(values, dict):
        raise UserError(f"{path}: expected keys and values, as in {example}")
    try:
        return model.model_validate(values | (changes or {}))
    except ValidationError as error:
        raise UserError(_explain(path, model, tree, error, changes or {})) from None


def not_yaml(path: Path, error: yaml.YAMLError) -> UserError:
    """What to raise for a text that the YAML parser refuses: with file, line and its reason."""
    mark = getattr(error, "problem_mark", None)
    line = f":{mark.line + 1}" if mark else ""
    return UserError(f"{path}{line}: not YAML: {getattr(error, 'problem', error)}")


def _explain(
    path: Path,
    model: type[BaseModel],
    tree: yaml.Node | None,
    error: ValidationError,
    changes: Any,
) -> str:
    lines = []
    for problem in error.errors():
        keys = [str(key) for key in problem["loc"]]
        message = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "extra_forbidden":
            message = f"unknown key; known here: {', '.join(_known(model, keys[:-1]))}"
        elif keys and problem["type"] != "missing":
            message += f"; found {_shown(problem['input'])}"
        where = "command line" if keys and keys[0] in changes else f"{path}:{_line(tree, keys)}"
        lines.append(f"{where}: {'.'.join(keys) + ': ' if keys else ''}{message}")
    return "\n".join(lines)


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except ValueError:  # Python writes down no number of more than 4,300 digits
        return "a number too large to be shown"


def _known(model: type[BaseModel], keys: list[str]) -> list[str]:
    for key in keys:
        inner = model.model_fields[key].annotation
        assert isinstance(inner, type)
        assert issubclass(inner, BaseModel)
        model = inner
    return sorted(model.model_fields)


def _line(node: yaml.Node | None, keys: list[str]) -> int:
    """The line on which the value at `keys` stands, or the nearest that is there."""
    line = 1 if node is None else node.start_mark.line + 1
    for key in keys:
        children: dict[str, yaml.Node] = {}
        if isinstance(node, yaml.MappingNode):
            children = {str(name.value): value for name, value in node.value}
            lines = {str(name.value): name.start_mark.line + 1 for name, _ in node.value}
        elif isinstance(node, yaml.SequenceNode):
            children = {str(index): value for index, value in enumerate(node.value)}
            lines = {str(i): value.start_mark.line + 1 for i, value in enumerate(node.value)}
        if key not in children:
            break
        node, line = children[key], lines[key]
    return line
