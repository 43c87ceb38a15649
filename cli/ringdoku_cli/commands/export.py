"""`ringdoku export`: a puzzle as a model file for other people's solvers, or as a link for their programs."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Annotated, TextIO

from ringdoku.domain import UsageError, refuse, ring_weights
from ringdoku.exports import EXPORTS, NUMBERINGS, PARTS, PRESOLVING, find_export
from ringdoku.exports import export as write_model
from ringdoku.text import Entry
from ringdoku_cli.exits import Exit, note
from ringdoku_cli.options import Inputs, Minimise, Output, Panel, Scores, choice, option
from ringdoku_cli.outputs import NUMBER, file_name, make_folder_for, open_output, require_writable
from ringdoku_cli.render import LINKS, format_of, link_to
from ringdoku_cli.render.terminal import table_lines, terminal_width

_WIDTH = max(map(len, EXPORTS)) + 1
# typer keeps the lines of a paragraph that starts with \b
_TO = ["The format of the model, and solvers that read it; needed where the name of --output does not end in it:\n\n\b"]
_TO += [f"{form.name:{_WIDTH}}{form.summary}\n{'':{_WIDTH}}{form.solvers}" for form in EXPORTS.values()]
_TO += [f"{name}  {summary}" for name, summary in LINKS.items()]
_OBJECTIVE_HELP = "The ring score (the default where the format has objectives), none, or weights from FILE."
_PLAIN_HELP = "Write the objective over all cells, not an equivalent one over fewer."
_NAMES_HELP = "How a cnf model numbers candidates, as textbooks do: plain from 1, rcd from 111, without presolve."
_SPLIT_HELP = "Write NAME-rules.cnf and NAME-clues.cnf, together one formula; nothing is presolved."
_SIZES_HELP = "Print the sizes of the puzzle in all encodings and formats instead of a model."
_CONSTRAINT = {
    "cnf": rb"^-?[1-9]",
    "wcnf": rb"^h |^[1-9]",
    "opb": rb"^[-+].*;",
    "lp": rb"^ (?!score)\w+:$",
    "mps": rb"^ [EL] ",
    "mzn": rb"^constraint ",
    "cpsat": rb"^constraints ",
    "smt2": rb"^\(assert",
    "xcsp3": rb"^    <[a-z]+[A-Za-z]* note",
    "asp": rb"^:-|^[1-9]",
    "dlx": rb"(?!)",
}
"""For each format, a pattern of the lines that `--sizes` counts as clauses or constraints; an exact cover has none."""
_PRESOLVE_HELP = "Leave out what follows from the clues; the default, except with --names and --split."
CLAUSE_SETS = ("minimal", "efficient", "extended")
_CLAUSES_HELP = f"The clause set of a cnf or wcnf model: {', '.join(CLAUSE_SETS)}."
_INNIES_HELP = "Add redundant clauses for cages that nearly cover some houses, and for sums of sums."


@dataclass(frozen=True)
class Model(Panel, title="Model"):
    """What the model states."""

    objective: Annotated[str | None, option("--objective ring|none|FILE", _OBJECTIVE_HELP)] = None
    minimise: Minimise = False
    plain_objective: Annotated[bool, option("--plain-objective", _PLAIN_HELP)] = False
    names: Annotated[str | None, choice("--names", NUMBERINGS, _NAMES_HELP)] = None
    split: Annotated[bool, option("--split", _SPLIT_HELP)] = False

    def writer(self, form: str, encoding: "Encoding", name: str) -> Callable[[Entry, TextIO, str], object]:
        """A function that writes a puzzle's model, a part of it, or its link to a stream; `name` is the output's."""
        if form in LINKS:
            return lambda entry, stream, _part: stream.write(f"{link_to(form, entry)}\n")
        refuse(encoding.presolve and form not in PRESOLVING, f"--presolve is for {', '.join(PRESOLVING)}")
        chosen = self.objective or ("ring" if find_export(form, LINKS).has_objective else "none")
        is_idle = (self.minimise or self.plain_objective) and chosen == "none"
        refuse(self.names and encoding.presolve, "--names is for models without presolve")
        refuse(is_idle, "--minimise and --plain-objective need an objective")
        scores = Scores(None if chosen in ("ring", "none") else chosen, self.minimise)
        from ringdoku.sat.options import ClauseSet, EncodingOptions

        presolve = not (self.names or self.split) if encoding.presolve is None else encoding.presolve
        fields = asdict(encoding) | {"clause_set": ClauseSet(encoding.clause_set), "presolve": presolve}
        write_as = partial(write_model, projected=not self.plain_objective, encoding=EncodingOptions(**fields))
        refuse(self.split and name == "-", "--split writes two files; -o NAME.cnf names them")

        def write(entry: Entry, stream: TextIO, part: str) -> None:
            objective = None if chosen == "none" else scores.objective_of(entry)
            write_as(entry.puzzle, form, stream.buffer, objective, numbering=self.names or "", part=part)

        return write


@dataclass(frozen=True)
class Encoding(Panel, title="Encoding, as `ringdoku list encodings` lists it"):
    """How the clauses of a cnf or wcnf model are written; presolve is for every model of 0-1 variables."""

    presolve: Annotated[bool | None, option("--presolve/--no-presolve", _PRESOLVE_HELP, show_default=False)] = None
    clause_set: Annotated[str, choice("--clause-set", CLAUSE_SETS, _CLAUSES_HELP)] = "extended"
    digits: Annotated[str, option("--digits NAME", "How a cnf or wcnf model encodes digits.")] = "direct"
    at_most_one: Annotated[str, option("--at-most-one NAME", "How it encodes at-most-one.")] = "pairwise"
    triads: Annotated[bool, option("--triads", "Add redundant variables for box-line intersections.")] = False
    innies: Annotated[bool, option("--innies", _INNIES_HELP)] = False


def export(
    inputs: Inputs,
    model: Model,
    encoding: Encoding,
    output: Output,
    to: Annotated[str | None, option("--to FORMAT", "\n".join(_TO), rich_help_panel="Format")] = None,
    sizes: Annotated[bool, option("--sizes", _SIZES_HELP, rich_help_panel="Format")] = False,
) -> Exit:
    """There are formats for SAT, MaxSAT, integer, constraint and SMT solvers, answer sets and exact cover. Comments in
    the file describe the puzzle, so that `ringdoku decode` can turn a solver's answer into the grid. Several puzzles
    need a file each, with {number} in its name, or with {input} where each input has one. A link has the rules, and
    where the program keeps them the title, the author, what they say of the rules and the solution, if it is the only
    one and found within 5 seconds; a rule that the program does not have is refused.

    Exit status: 0 written, 2 malformed input or usage, 130 interrupted.
    """
    is_plain = model == Model() and encoding == Encoding()
    if sizes:
        refuse(to or not is_plain, "--sizes shows all formats and encodings as they are")
        with inputs.puzzles() as puzzles, output.open() as stream:
            stream.writelines(_sizes(entry, terminal_width(stream)) for entry in puzzles)
        return puzzles.exit
    to, name = format_of(to, output.output, (*EXPORTS, *LINKS)), output.output or "-"
    if to is None:
        raise UsageError(f"--to FORMAT is missing; there are: {', '.join((*EXPORTS, *LINKS))}")
    inputs.require_one_standard_input(*inputs.files, model.objective)
    refuse(to in LINKS and not is_plain, "a link has no objective and no encoding")
    write = model.writer(to, encoding, name)
    make_folder_for(name, inputs.files)
    with inputs.puzzles() as puzzles:
        # two models in one file are refused before any is written
        entries = [] if NUMBER in name else list(puzzles)
        for target, count in Counter(file_name(name, 1, entry) for entry in entries).items():
            refuse(count > 1, f"{count} models would go to {target}; -o 'model-{NUMBER}' names a file for each")
        for number, entry in enumerate(entries or puzzles, 1):
            path = Path(file_name(name, number, entry))
            for part in PARTS if model.split else ("",):
                file = path.with_stem(f"{path.stem}-{part}") if part else path
                try:
                    with open_output(str(file), output.force, useless_in_part=True) as stream:
                        write(entry, stream, part)
                except UsageError as error:
                    # what is wrong with the file comes first
                    require_writable(str(file), output.force)
                    refuse(NUMBER not in name, str(error))
                    puzzles.refuse(UsageError(f"{entry.place}: {error}"))
        return puzzles.exit


def _sizes(entry: Entry, width: int | None) -> str:
    """A table of the sizes of the puzzle's models: the formulas of all encodings, without presolve, then all formats,
    with the ring score if they have objectives. Notes on standard error what cannot be written."""
    from ringdoku.exports.base import read_metadata
    from ringdoku.sat.options import PRESOLVED
    from ringdoku_cli.commands.list import encoding_choices

    choices = [("cnf", f"{kind}: {name}", chosen) for kind, name, chosen, _ in encoding_choices()]
    choices += [(name, "presolved" if name in PRESOLVING else "", PRESOLVED) for name in EXPORTS]
    rows = []
    for name, choice_name, chosen in choices:
        file, objective = BytesIO(), ring_weights(entry.puzzle.board) if EXPORTS[name].has_objective else None
        try:
            write_model(entry.puzzle, name, file, objective, encoding=chosen)
        except UsageError as error:
            note(f"{entry.place}: {name}, {choice_name}: {error}")
            continue
        text = file.getvalue()
        numbers = read_metadata(text, name).num_vars, len(re.findall(_CONSTRAINT[name], text, re.MULTILINE)), len(text)
        rows.append([name, choice_name, *(str(number or "") for number in numbers)])
    heads = ["format", "encoding", "variables", "constraints", "bytes"]
    return "\n".join(table_lines(heads, rows, width, heads[2:])) + "\n"
