"""`ringdoku export`: a puzzle as a model file for other people's solvers, or as a link for their programs."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from ringdoku import Sense, UsageError, ring_weights
from ringdoku.exports import EXPORTS, find_export
from ringdoku_cli import options
from ringdoku_cli.exits import Exit
from ringdoku_cli.inputs import weights_from
from ringdoku_cli.options import option, refuse
from ringdoku_cli.outputs import INPUT, NUMBER, make_folder_for, named, open_output
from ringdoku_cli.render import LINKS, format_of, link_to

if TYPE_CHECKING:
    from ringdoku.sat.options import EncodingOptions

_WIDTH = max(map(len, EXPORTS)) + 1
# typer keeps the lines of a paragraph that starts with \b
_FORMATS_HELP = (
    "The format of the model, and solvers that read it; needed where the name of --output does not end in it:\n\n\b\n"
) + "\n".join(
    (
        *(f"{form.name:{_WIDTH}}{form.summary}\n{'':{_WIDTH}}{form.solvers}" for form in EXPORTS.values()),
        *(f"{name}  {summary}" for name, summary in LINKS.items()),
    )
)
_OBJECTIVE_HELP = "The ring score (the default where the format has objectives), none, or weights from FILE."
_PLAIN_HELP = "Write the objective over all cells, not an equivalent one over fewer."
_PRESOLVE_HELP = "Leave out what follows from the clues, or keep it."
_TRIADS_HELP = "Add redundant variables for box-line intersections."
_INNIES_HELP = "Add redundant clauses for cages that nearly cover some houses."


@dataclass(frozen=True)
class Model:
    """What is written."""

    PANEL: ClassVar[str] = "Model"

    objective: Annotated[str | None, option("--objective ring|none|FILE", _OBJECTIVE_HELP)] = None
    minimise: options.Minimise = False
    plain_objective: Annotated[bool, option("--plain-objective", _PLAIN_HELP)] = False


@dataclass(frozen=True)
class Encoding:
    """How the clauses of a cnf or wcnf model are written; presolve is for every model of 0-1 variables."""

    PANEL: ClassVar[str] = "Encoding, as `ringdoku list encodings` lists it"

    presolve: Annotated[bool, option("--presolve/--no-presolve", _PRESOLVE_HELP)] = True
    clause_set: Annotated[str, option("--clause-set NAME", "The clause set of a cnf or wcnf model.")] = "extended"
    digits: Annotated[str, option("--digits NAME", "How a cnf or wcnf model encodes digits.")] = "direct"
    at_most_one: Annotated[str, option("--at-most-one NAME", "How it encodes at-most-one.")] = "pairwise"
    triads: Annotated[bool, option("--triads", _TRIADS_HELP)] = False
    innies: Annotated[bool, option("--innies", _INNIES_HELP)] = False

    def options(self) -> "EncodingOptions":
        """Raises `UsageError` for a name that does not exist."""
        from ringdoku.sat.options import ClauseSet, EncodingOptions

        sets = {member.value: member for member in ClauseSet}
        known = ", ".join(sets)
        refuse(self.clause_set not in sets, f"no clause set is called {self.clause_set!r}; there are: {known}")
        return EncodingOptions(**asdict(self) | {"clause_set": sets[self.clause_set]})


def export(
    inputs: options.Inputs,
    model: Model,
    encoding: Encoding,
    output: options.Output,
    to: Annotated[str | None, option("--to FORMAT", _FORMATS_HELP, rich_help_panel="Format")] = None,
) -> Exit:
    """Write a puzzle as a model for solvers, or as a link.

    There are formats for SAT, MaxSAT, integer, constraint and SMT solvers. Comments in the file describe the
    puzzle, so that `ringdoku decode` can turn a solver's answer into the grid. Several puzzles need a file each,
    with {number} in its name, or with {input} where each input has one. A link has the rules, the title, the author
    and what they say of the rules; a rule that the program does not have is refused.

    Exit status: 0 written, 2 malformed input or usage, 130 interrupted.
    """
    from ringdoku.exports import export as write_model

    to, name = format_of(to, output.output, EXPORTS), output.output or "-"
    if to is None:
        raise UsageError(f"--to FORMAT is missing; there are: {', '.join((*EXPORTS, *LINKS))}")
    inputs.require_one_standard_input(model.objective)
    refuse(to in LINKS and (model != Model() or encoding != Encoding()), "a link has no objective and no encoding")
    chosen = model.objective or ("ring" if to not in LINKS and find_export(to).has_objective else "none")
    sense = Sense.MINIMISE if model.minimise else Sense.MAXIMISE
    weights = None if chosen in ("ring", "none") else weights_from(chosen, sense)
    encoded = encoding.options()
    if INPUT in name:
        make_folder_for(name, inputs.files)
    written: set[str] = set()
    with inputs.puzzles() as puzzles:
        if not (NUMBER in name or INPUT in name):
            puzzles.require_one(f"-o 'model-{NUMBER}' names a file for each")
        for number, entry in enumerate(puzzles, 1):
            path = named(name, number, entry)
            refuse(path in written, f"{path} would hold two models; {NUMBER} in its name makes a file for each")
            written.add(path)
            objective = ring_weights(entry.puzzle.board, sense) if chosen == "ring" else weights
            with open_output(path, output.force, useless_in_part=True) as stream:
                if to in LINKS:
                    link = link_to(to, entry.puzzle, entry.name, entry.author, entry.about, entry.solution)
                    stream.write(f"{link}\n")
                    continue
                projected = not model.plain_objective
                write_model(entry.puzzle, to, stream.buffer, objective, projected=projected, encoding=encoded)
                stream.flush()
        return puzzles.exit
