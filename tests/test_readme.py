"""The README and the pages are true: examples give what they say, tables are the registries', links lead somewhere."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from conftest import SCRIPT, Run, plain_environment

from ringdoku.constraints.registry import LISTED
from ringdoku.exports import EXPORTS
from ringdoku.sat.at_most_one import AT_MOST_ONE
from ringdoku.solvers.registry import BACKENDS
from ringdoku.text import FORMATS
from ringdoku_cli.app import COMMANDS

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
CHINESE = ROOT / "README.zh.md"
PAGES = {
    page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8")
    for page in [README, CHINESE, *sorted(ROOT.glob("docs/*.md"))]
}


def blocks(language: str, text: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


# an example that stands on several pages runs once
NEEDS_A_SHELL = re.compile(r"[|<>;&$*`]")
EXAMPLES = list(dict.fromkeys(example for text in PAGES.values() for example in blocks("console", text)))
PYTHON = list(dict.fromkeys(program for text in PAGES.values() for program in blocks("python", text)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder with the fixtures in it, where a reader of the pages would be."""
    shutil.copytree(ROOT / "fixtures", tmp_path / "fixtures")
    return tmp_path


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_prints_what_its_page_shows(example: str, folder: Path, ringdoku_here: Run) -> None:
    shown, printed = [], []
    shell = plain_environment() | {"PATH": f"{SCRIPT.parent}:{plain_environment()['PATH']}"}
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", example, re.MULTILINE):
        if command.startswith("ringdoku ") and not NEEDS_A_SHELL.search(command):
            run = ringdoku_here(*shlex.split(command)[1:], cwd=folder)
        else:
            run = subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                env=shell,
                capture_output=True,
                encoding="utf-8",
                timeout=60,
                check=False,
            )
        shown.append((command, output))
        printed.append((command, run.stdout + run.stderr))
    assert printed
    assert printed == shown


@pytest.mark.parametrize("program", PYTHON)
def test_a_python_example_runs_and_holds(
    program: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    exec(program, {"__name__": "__main__"})
    expected = "".join(f"{line}\n" for line in re.findall(r"# → (.*)", program))
    assert capsys.readouterr() == (expected, "")
    assert expected


def table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(heading), ["---"] * len(list(heading)), *map(list, rows)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for cells in lines)


ALL = [(one, ", ".join(sorted(ability.value for ability in one.abilities))) for one in BACKENDS.values()]
TABLES: list[tuple[str, str, Iterable[tuple[str, ...]]]] = [
    ("commands", "command, does", [(f"ringdoku {one.name}", one.summary) for one in COMMANDS]),
    ("formats", "format, what it is", [(one.name, one.summary) for one in FORMATS.values()]),
    (
        *("formats", "format, what it is, solvers that read it"),
        [(one.name, one.summary, one.solvers) for one in EXPORTS.values()],
    ),
    ("comparing", "backend, what it is, can", [(one.name, one.summary, abilities) for one, abilities in ALL]),
    ("comparing", "at most one, paper", [(name, each.reference) for name, each in AT_MOST_ONE.items()]),
    (
        *("constraints", "constraint, what it demands, example"),
        [(one.text, one.summary, f"`{one.example}`") for one in LISTED.values()],
    ),
]
"""The page of each, the heads of its columns, and its rows, whose first cell is a name."""


@pytest.mark.parametrize(("page", "heads", "rows"), TABLES)
def test_a_table_is_the_registrys(page: str, heads: str, rows: Iterable[tuple[str, ...]]) -> None:
    lines = table(heads.split(", "), ((f"`{name}`", *cells) for name, *cells in rows)).splitlines()
    assert "\n".join(lines) in (text := PAGES[f"docs/{page}.md"]), [row for row in lines if row not in text] or lines


@pytest.mark.parametrize("page", PAGES)
def test_links_and_pictures_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]*)\)|src=\"([^\"]*)\"", prose(PAGES[page])):
        path, _, heading = "".join(target).partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        assert file.is_file(), f"{page} leads to {path}, which is not there"
        assert not heading or heading in anchors(file.read_text(encoding="utf-8")), f"{page}: {path} has no #{heading}"


def prose(text: str) -> str:
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def anchors(text: str) -> set[str]:
    """The anchors of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("readme", [README, CHINESE])
def test_the_first_page_is_short_and_leads_to_every_other(readme: Path) -> None:
    text = PAGES[readme.name]
    assert text.count("\n") <= 160
    assert [page for page in PAGES if page.startswith("docs/") and f"]({page})" not in text] == []


@pytest.mark.parametrize("language", ["console", "sh", "python"])
def test_the_chinese_page_has_the_same_examples(language: str) -> None:
    assert blocks(language, PAGES[CHINESE.name]) == blocks(language, PAGES[README.name])


@pytest.mark.parametrize(("command", "name"), [("maximise", "target"), ("solve", "rules")])
def test_a_picture_is_what_the_program_draws(command: str, name: str, folder: Path, ringdoku_here: Run) -> None:
    drawn = ringdoku_here(command, f"fixtures/{name}.in", "--output-format", "svg", cwd=folder)
    assert drawn.stdout == (ROOT / f"fixtures/{name}.svg").read_text(encoding="utf-8")
