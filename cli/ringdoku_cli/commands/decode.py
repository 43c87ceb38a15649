"""`ringdoku decode`: a solver's answer to an exported model, as the checked grid."""

from typing import Annotated

from ringdoku.domain import Place, Status, refuse
from ringdoku.exports import NUMBERINGS, decode_numbers
from ringdoku.exports import decode as read_answer
from ringdoku.text import Entry, layout_named
from ringdoku_cli.exits import Exit, note
from ringdoku_cli.inputs import input_name, open_binary
from ringdoku_cli.options import Output, OutputFormat, Reading, argument, choice
from ringdoku_cli.render import OUTPUT_FORMATS, format_of, renderer

NAMES_HELP = f"MODEL is a puzzle, and the answer that to a formula with these variables: {', '.join(NUMBERINGS)}."


def decode(
    model: Annotated[str, argument("MODEL", "A file written by `ringdoku export`; with --names a puzzle.")],
    answer: Annotated[str, argument("ANSWER", "The output of a solver; - is standard input.")],
    reading: Reading,
    output: Output,
    names: Annotated[str | None, choice("--names", NUMBERINGS, NAMES_HELP)] = None,
    output_format: OutputFormat = None,
) -> Exit:
    """It reads the output of SAT, MaxSAT and pseudo-Boolean competitions, a model of PySAT as Python prints it, the
    result file of MiniSat, the solution files of HiGHS, SCIP, CBC, GLPK and Gurobi, and the output of MiniZinc, Z3 and
    CP-SAT. The grid is checked. Where there is an objective, the score is recomputed and printed above the grid. When
    the solver reports that there is no solution, `no solution` is printed, or -1 where there is an objective.

    For a formula of your own give the puzzle and --names: plain, where the cell in row r and column c of a 9x9 grid
    holds d if variable 81(r-1) + 9(c-1) + d is true, or rcd, where it is 100r + 10c + d. The answer may be a list of
    the true variables.

    Exit status: 0 a solution, and the best one where there is an objective, or -1; 1 no solution; 2 malformed input
    or usage; 3 not proved best, or unknown.
    """
    reading.require_one_standard_input(model, answer)
    refuse(not names and reading != Reading(), "how puzzles are read goes with --names")
    if names:
        puzzle = reading.single_puzzle(model, "each has an answer of its own").puzzle
        with open_binary(answer) as stream:
            decoded = decode_numbers(puzzle, stream, names, input_name(answer))
    else:
        with open_binary(model) as stream:
            content = stream.read()
        with open_binary(answer) as stream:
            decoded = read_answer(content, stream, input_name(model), input_name(answer))
    result = decoded.result
    entry = Entry(decoded.puzzle, layout_named("spaced", decoded.puzzle.ruleset), Place(input_name(model), 1))
    output_format = format_of(output_format, output.output, OUTPUT_FORMATS)
    with output.open() as stream:
        name = output_format or ("pretty" if stream.isatty() else "spaced")
        stream.write(renderer(name, stream, objective_of=lambda _: decoded.objective)(entry, result))
    if result.status is Status.INFEASIBLE:
        note(f"{input_name(answer)}: that there is no solution is the word of the solver")
        return Exit.NEGATIVE if decoded.objective is None else Exit.OK
    if result.status is Status.OPTIMAL:
        note(f"{input_name(answer)}: that {result.score} is the best score is the word of the solver")
    if result.status is Status.FEASIBLE:
        note(f"{input_name(answer)}: {result.score} is not proved best")
    return Exit.OK if result.status.is_final else Exit.UNKNOWN
