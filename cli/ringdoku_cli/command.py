"""Makes a Typer command of a function whose parameters may be groups of options: dataclasses."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from inspect import Parameter
from typing import Any, get_type_hints

from typer.models import OptionInfo

from ringdoku_cli.exits import Exit


def command(function: Callable[..., Exit]) -> Callable[..., Exit]:
    """`function` with an option for each field of the dataclasses that it takes, and with its other parameters.

    A field is annotated as a parameter of Typer is. The help shows the options of a group under its `PANEL`, where it
    has one, below those of the command itself.
    """
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, type[Any]] = {}
    parameters: list[Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if is_dataclass(hints[name]):
            groups[name] = hints[name]
            parameters += _options_of(hints[name])
        else:
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name]))

    @functools.wraps(function)
    def run(**given: Any) -> Exit:
        filled = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        return function(**filled, **given)

    # typer reads both
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _options_of(group: type[Any]) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    panel = getattr(group, "PANEL", None)
    for field in fields(group):
        for option in hints[field.name].__metadata__:
            if panel and isinstance(option, OptionInfo):
                option.rich_help_panel = panel
    return [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name])
        for field in fields(group)
    ]
