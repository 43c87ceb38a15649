"""The faults that can be made in a Python file, one at a time: a wrong operator, number, branch or answer, a condition
or a statement that is left out (so that what was known before stays), directions exchanged, the wrong way of rounding,
and the wrong one of two functions, such as `zip` for `zip_longest`.

Left alone, because answers do not depend on them: docstrings and other strings, annotations, decorators, `raise` and
`assert` statements, what functions say and draw, and what costs time only: numbers that a module names in capitals,
comparisons with such a name, and statements that mention a deadline.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
COLLECTS = {"add", "append", "append_formula", "add_clause", "extend", "update", "pour"}
FORGETS = {"clear", "discard", "pop", "popleft", "remove", "retract"}
"""Methods whose calls are dropped; without those that forget, what was true before stays."""
EXCHANGED = {
    "zip_longest": "zip",
    "all": "any",
    "any": "all",
    "min": "max",
    "max": "min",
    "ceil": "floor",
    "floor": "ceil",
}
"""Functions, and those that are called instead."""
UNASKED = ("__str__", "__repr__", "marks", "label")
"""Functions that say or draw what others found."""


@dataclass(frozen=True)
class Fault:
    """A part of a file, from byte `start` to `end`, and what stands there instead."""

    file: str
    line: int
    kind: str
    start: int
    end: int
    before: str
    after: str

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line} {self.kind} {self.before} → {self.after}"

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.after.encode() + source[self.end :]


class Faults(ast.NodeVisitor):
    """Every fault that can be made in one file."""

    def __init__(self, path: Path) -> None:
        self._source = path.read_bytes()
        self._file = str(path.relative_to(ROOT))
        lines = self._source.splitlines(keepends=True)
        self._starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
        self._returns: list[str] = []
        self.found: list[Fault] = []
        tree = ast.parse(self._source)
        self._limits = set(_limits(tree))
        self.visit(tree)

    def _offer(self, node: ast.expr | ast.stmt, kind: str, after: ast.AST | str) -> None:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[node.end_lineno - 1] + node.end_col_offset
        text = after if isinstance(after, str) else ast.unparse(after)
        if isinstance(node, ast.expr) and not isinstance(node, ast.Constant):
            text = f"({text})"
        before = ast.unparse(node)
        self.found.append(Fault(self._file, node.lineno, kind, start, end, before, text))

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
            return
        if isinstance(node, ast.Expr | ast.Assign | ast.AugAssign) and "deadline" in ast.unparse(node):
            return
        super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name in UNASKED:
            return
        self._returns.append(ast.unparse(node.returns) if node.returns else "")
        for part in [*filter(None, [*node.args.defaults, *node.args.kw_defaults]), *node.body]:
            self.visit(part)
        self._returns.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

    def visit_Assign(self, node: ast.Assign) -> None:
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        if not names & self._limits:
            if self._returns and any(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
                self._offer(node, "stale", "pass")
            self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        self._offer(node, "stale", "pass")

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and "TypeAlias" not in ast.unparse(node.annotation):
            self.visit(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in COLLECTS:
            self._offer(node, "drop", "pass")
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in FORGETS:
            self._offer(node, "stale", "pass")
        if isinstance(call, ast.Yield | ast.YieldFrom):
            self._offer(node, "drop", "yield from ()")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._offer(node, "drop", "pass")
        self._operator(node)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        if not {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} & self._limits:
            for place, operator in enumerate(node.ops):
                for other in SWAPS.get(type(operator), ()):
                    changed = copy.deepcopy(node)
                    changed.ops[place] = other()  # type: ignore[call-overload]  # comparisons become comparisons
                    self._offer(node, "compare", changed)
            for part in (node.left, *node.comparators):
                # `in (0, 1)` has no direction
                self.generic_visit(part) if isinstance(part, ast.Tuple) else self.visit(part)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._operator(node)
        if isinstance(node.op, ast.FloorDiv):
            up = ast.UnaryOp(ast.USub(), ast.BinOp(ast.UnaryOp(ast.USub(), node.left), ast.FloorDiv(), node.right))
            self._offer(node, "rounding", up)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self._operator(node)
        for place in range(len(node.values)):
            rest = node.values[:place] + node.values[place + 1 :]
            self._offer(node, "conjunct", ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0])
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in EXCHANGED:
            changed = copy.deepcopy(node)
            changed.func = ast.Name(EXCHANGED[name])
            if name == "zip_longest":
                changed.keywords = []
            self._offer(node, "function", changed)
        if name == "reversed":
            self._offer(node, "direction", node.args[0])
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if ast.unparse(node.slice) == "::-1":
            self._offer(node, "direction", node.value)
        self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        # a step, as (0, 1)
        if len(node.elts) == 2 and all(re.fullmatch("-?[0-9]+", ast.unparse(part)) for part in node.elts):
            changed = ast.Tuple(node.elts[::-1], node.ctx)
            if ast.unparse(changed) != ast.unparse(node):
                self._offer(node, "direction", changed)
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        # one of a table, since tables are long; in a function a dict is a note of what was done. The order of tables
        # that are joined says nothing
        place = len(node.values) // 2
        if place and None not in node.keys and not self._returns:
            changed = copy.deepcopy(node)
            changed.values[place - 1 : place + 1] = changed.values[place - 1 : place + 1][::-1]
            if ast.unparse(changed) != ast.unparse(node):
                self._offer(node, "direction", changed)
        self.generic_visit(node)

    def _operator(self, node: ast.BinOp | ast.BoolOp | ast.AugAssign) -> None:
        kind = "and/or" if isinstance(node, ast.BoolOp) else "arithmetic"
        for other in SWAPS.get(type(node.op), ()):
            changed = copy.deepcopy(node)
            changed.op = other()  # type: ignore[assignment]  # an operator of the same kind
            self._offer(node, kind, changed)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._offer(node, "not", node.operand)
        if isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            self._offer(node, "sign", node.operand)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if type(node.value) is int:
            for by in (1, -1):
                self._offer(node, "constant", f"({node.value + by})" if node.value + by < 0 else str(node.value + by))

    def visit_If(self, node: ast.If) -> None:
        self._branches(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._branches(node)

    def _branches(self, node: ast.If | ast.IfExp) -> None:
        text = ast.unparse(node.test)
        names = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
        if not names & self._limits and "deadline" not in text:
            self._offer(node.test, "branches", ast.UnaryOp(ast.Not(), node.test))
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            return
        if self._returns and self._returns[-1] == "bool":
            for value in ("True", "False"):
                if ast.unparse(node.value) != value:
                    self._offer(node.value, "return", value)
        self.visit(node.value)


def _limits(tree: ast.Module) -> Iterator[str]:
    """Names in capitals of numbers that a module sets or imports: when something is tried, never what is true."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.ImportFrom):
            named = node.targets if isinstance(node, ast.Assign) else node.names
            for each in named:
                name = each.asname or each.name if isinstance(each, ast.alias) else getattr(each, "id", "")
                if name.isupper():
                    yield name
