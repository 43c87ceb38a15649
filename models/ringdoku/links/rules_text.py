"""Find the rules that a rules text names, whether it mentions coloured cells, and which sentences are not understood.
In files that only draw rules, this text alone gives a drawing its meaning.

Each rule has a pattern that a sentence must match. A second one, which no sentence may match, is for other rules whose
drawings look the same. A sentence that states a rule must be about the usual ones or one of the file, and explain it.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from ringdoku.constraints import digits, lines, outside, pairs, regions, sums
from ringdoku.constraints.logic import with_nested
from ringdoku.domain import grouped, shortened
from ringdoku.domain.constraint import Constraint
from ringdoku.links.shared import Draft, ImportedPuzzle, T
from ringdoku.links.values import shown

_SUM = "sum|add|total"
_NOT = r"not allowed|cannot|can't|can not|(?<!or )may not|must not|mustn't|never|no two|no adjacent"
_OTHERWISE = "product|multipl|average|at least|at most"
_TURNED = r"circles? ((?!square)\w+ ){0,4}even|squares? ((?!circle)\w+ ){0,4}odd"
_NO_REGIONS = r"\b(no|without) (any |the )?(usual |[0-9]x[0-9] )?(box|region)"
_ALIKE = str.maketrans("’對線殺溫計頭馬騎國緣連續點數規則鋸齒區無額", "'对线杀温计头马骑国缘连续点数规则锯齿区无额")
"""Apostrophes, and traditional Chinese characters for simplified ones."""

_WORDINGS: dict[str, tuple[str, ...]] = {
    "killer cages": (
        f"cages?.*({_SUM})|({_SUM}).*cage|killer|杀手|[笼籠]|线框",
        r"cages?[^,]*(product|multipl|average|median|look.and.say|rellik|not sum|difference|all but one|\blying)"
        "|(rellik|lying|product|look.and.say)[^,]*cage"
        "|(must|that) appear (somewhere )?(with)?in (that|the|this|its) cage"
        r"|(cages?|sum|total)[^,]*\b(at (least|most)|(or|one) (more|less))\b|(last|odd|even) digits?[^,]*cage",
    ),
    "thermometers": (
        "thermo|bulb|温度计",
        r"(thermo|bulb).*(\b(slow|fast|weak)|broken|decreas|the same|(or|remain) equal|never get|at least"
        "|(?<!necessarily )consecutiv)|slow thermo",
    ),
    "palindromes": ("palindrom|same (forwards|in both|in either)|回文",),
    "between lines": (
        "(line|circle|path).*between|between.*(line|circle|path)",
        r"(?<!not )\binclusive|not (be )?between",
    ),
    "arrows": (f"arrow.*({_SUM})|({_SUM}).*arrow|arrow (rules|sudoku)|箭头", f"arrow.*({_OTHERWISE})"),
    "white dots": (
        r"consecutive|kropki|differ(ence)? (of|by) (1\b|one)|white (dot|circle)|白点|(?<![不非])连续",
        r"white[^,]*differ(ence)? (of|by) ([02-9]|two|three|at least)|white[^,]{0,25}(sum|greater)",
    ),
    "black dots": (
        "ratio|kropki|double|twice|half|black (dot|circle)|黑点|黑白点",
        r"black[^,]*([3-9] ?: ?1\b|\b1 ?: ?[3-9]|ratio of [3-9]|triple)|black[^,]{0,25}(sum|differ)",
    ),
    "white dots with numbers": ("differ|kropki|white (dot|circle)", "white[^,]{0,25}(sum|greater)|white.*at least"),
    "black dots with numbers": ("ratio|kropki|times|black (dot|circle)", "black[^,]{0,25}(sum|differ)|black.*at least"),
    "X and V": (r"(?a-i:\b(X|V|XV|X/V)('?e?s)?\b)", r"(?-i:\b[XV]\b).{0,30}(product|multipl|differ)"),
    "quadruples": (
        r"quadruple|quads?\b|(circle|clue|corner|intersection).*(surround|around|four|adjacent)"
        "|(surround|around|four|adjacent).*(circle|clue|corner|intersection)|四[格角]提示",
        "(circle|corner|intersection).*(sum|product|not appear|differ|exactly once)|at least one of the digits",
    ),
    "odd cells": (r"\bodds?\b|奇数|奇偶", _TURNED),
    "even cells": (r"\bevens?\b|偶数|奇偶", _TURNED),
    "diagonals": (
        r"diagonal.*(repeat|once|each digit|all digits|every digit|different|unique|\b1\b|rules|sudoku)"
        r"|(repeat|once|each digit|all digits|every digit|different|unique|\b1\b|rules|sudoku).*diagonal|对角线",
        r"diagonal.*(only|exactly) (\w+ )?([1-8]|two|three|four) different|anti-?diagonal",
    ),
    "little killers": (f"diagonal.*({_SUM})|({_SUM}).*diagonal|little killer|小杀手", f"diagonal.*({_OTHERWISE})"),
    "sandwiches": (
        r"sandwich|between (the )?(1 and (the )?[0-9]+|[0-9]+ and (the )?1\b)|三明治|夹心",
        "between the [2-8] and the [2-8]|x-?sum|skyscraper|numbered room|frame|rossini|battlefield",
    ),
    "extra regions": ("region|area|window|windoku|extra|shaded|gr[ae]y|box|窗口|区域",),
    "clones": ("clone|same|identical|克隆",),
    "minimums and maximums": ("larger|greater|higher|bigger|maxim|smaller|lower|less|minim|fortress",),
    "whispers": (
        r"whisper.*\b(5|five)|german whisper|green.*differ.*\b(5|five)|differ.*\b(5|five).*green",
        "dutch|chinese|whisper.*at least (3|4|6|three|four|six)",
    ),
    "renban lines": (
        r"renban|(set|sequence) of ([\w-]+,? )?consecutive|consecutive (set|sequence|(\w+,? )?in any order)",
    ),
    "cages whose digits may repeat": (
        r"\A(?=.*\bcages?\b)(?!.*(not|n't|never|no digit)\b.{0,20}\b(repeat|more than once))"
        r".*((may|can|could|might)( also| be)* (repeat|appear more than once)|repeats? (is |are )?allowed|non-unique)",
    ),
    "counting circles": ("counting circles|how many circles|number of circles",),
}


def names_rule(rules: str, what: str) -> bool:
    """Whether a rules text names a rule of the table, and no other rule with the same drawing."""
    return _matches(rules, _WORDINGS[what][0]) and not means_otherwise(rules, what)


def speaks_of_regions(rules: str) -> bool:
    """Whether a rules text speaks of the usual rules, boxes or regions, not only to say that there are none."""
    rest = re.sub(_NO_REGIONS, "", rules, flags=re.IGNORECASE)
    return _matches(rest, r"(normal|standard|classic)(?! latin)|\bbox|region")


def is_latin(rules: str) -> bool:
    """Whether a rules text says that rows and columns count, or that there are no boxes, and speaks of no regions."""
    return _matches(rules, rf"latin|\b(rows?|columns?)\b|{_NO_REGIONS}") and not speaks_of_regions(rules)


def if_named(draft: Draft, what: str, found: list[T], text: str = "") -> list[T]:
    """The marks found in a drawing if `text`, by default the rules text, names their rule `what`; otherwise a note."""
    if not found or names_rule(text or draft.rules, what):
        return found
    marks = "1 mark looks" if len(found) == 1 else f"{len(found)} marks look"
    draft.note_unknown(f"{marks} like {what}, which the rules text does not name")
    return []


def means_otherwise(rules: str, what: str) -> bool:
    """Whether a rules text gives a drawing another meaning than its usual one."""
    return any(_matches(rules, pattern) for pattern in _WORDINGS[what][1:])


def _matches(rules: str, pattern: str) -> bool:
    return any(re.search(pattern, part, re.IGNORECASE) for part in _sentences(rules))


@lru_cache(maxsize=4)
def _sentences(rules: str) -> tuple[str, ...]:
    """The sentences, in parts of 400 characters so that a search is fast on any text."""
    whole = re.split(r"[.;!?。；！？\n]+", rules.translate(_ALIKE))
    return tuple(sentence[start : start + 400] for sentence in whole for start in range(0, len(sentence), 400))


def note_unstated(draft: Draft, typed: bool = False) -> None:
    """Note rules that the rules text mentions and the file does not state, and sentences that are not understood. If
    marks are `typed`, the text may name marks that are not there, but give no other meaning to those that are."""
    mentioned = _OF_THE_BOARD if typed else _UNDRAWN
    absent = dict(unstated(draft.rules, draft.constraints, mentioned))
    for what in absent:
        draft.note_unknown(_UNSTATED.format(what))
    spoken_of = [pattern for what, pattern, _ in mentioned if what in absent]
    for sentence in _not_understood(draft.rules, draft.constraints):
        if not any(_matches(sentence, pattern) for pattern in spoken_of):
            draft.note_unknown(f"the rules text says {shortened(sentence, 80)!r}, which is not understood")
    # a text that states nothing leaves the rule to the title
    for what, _ in unstated("" if len(_USUAL.sub("", draft.rules).split()) > 2 else draft.title, draft.constraints):
        draft.note_unknown(f"the title {shortened(draft.title, 60)!r} names {what}, which the file does not state")
    for what in sorted({_TYPED[type(rule)] for rule in draft.constraints if typed and type(rule) in _TYPED}):
        if means_otherwise(draft.rules, what):
            draft.note_unknown(f"the rules text gives another meaning to {what}")


def unknown_beside(constraints: Iterable[Constraint], imported: ImportedPuzzle) -> list[str]:
    """What is unknown of a puzzle to which these constraints are added: not what its rules text means by them."""
    kinds = set(map(type, with_nested(constraints)))
    stated = {_UNSTATED.format(what) for what, _, states in _UNDRAWN if kinds & {*states}}
    return [sentence for sentence in imported.unknown if sentence not in stated]


def _not_understood(rules: str, constraints: Iterable[Constraint]) -> Iterator[str]:
    """Yields the sentences that state something about cells or digits, and speak neither of the usual rules nor of one
    of the constraints; or do so in words that hardly ever explain them."""
    names = {type(rule).text for rule in with_nested(constraints)}
    for sentence in _sentences(_ASIDES.sub(" ", rules)):
        rest = _USUAL.sub("", sentence)
        if len(rest.split()) < 3 or not _matches(rest, _STATES) or _matches(rest, f"{_PLACES}|{_HARMLESS}"):
            continue
        told = [name for name in names if _matches(rest, rf"\b({_WORDS.get(name, name.replace('-', '.?'))})s?\b")]
        further = (words for words, explained in _FURTHER if not re.search(explained, " ".join(told)))
        if not told or any(_matches(rest, rf"\b({words})s?\b") for words in further):
            yield sentence.strip()


_ASIDES = re.compile(r"\([^()]*\)|\b(e\.? ?g\b|i\.? ?e\b|for (example|instance)\b)\.?[^.;!?\n]*", re.IGNORECASE)
_USUAL = re.compile(
    r"(normal|standard|classic(al)?|regular|usual|ordinary|conventional|typical|traditional)( \w+)? (sudoku|rules?)"
    r"( rules?)?( \w+)?( apply| applies)?|sudoku rules( apply)?|\b(no|without) (any |the )?(usual )?(box|region)(e?s)?",
    re.IGNORECASE,
)
_STATES = (
    r"\b(digits?|numbers?|cells?|rows?|columns?|box(es)?|regions?|lines?|must|cannot|can't|sums?|repeat"
    r"|contain\w*|adjacent|even|odd|prime|equal|once(?! upon| you)|neighbou?r\w*|orthogonal\w*|diagonal\w*|grid"
    r"|consecutive|values?|never|least|most|total|clues?|every|each)\b"
)
_PLACES = (
    r"\A(?=.*\brows?\b)(?=.*\b(columns?|cols?)\b)"
    r"(?!.*(diagonal|in order|\bshare|exactly two|times|building|magic|prime|indicates? the|same (number|total|sum)))"
    r".*\b(once|repeat\w*|(each|every|the|all) (digits?|numbers?)|1\b.*\b[4-9])\b"
    r"|(digits|numbers) (from )?1\W+(to|through|thru|and)?\W*[4-9] in (each|every|the|all)( empty| blank)? cells?"
)
_HARMLESS = (
    r"\bfog|revea\w*|\bclears?\b|any order|would be|may or may not|already|(?<!no digit )(may|can|could) repeat"
    r"|(may|can) have different|\bsolution\b|repeats? (is|are) allowed|(not|n't) (all|every|necessarily|have to)\b"
    r"|\bclues are standard|have fun|enjoy|\bclick|gr[ae]y (circle|square).*\b(odd|even)\b"
)
_FURTHER = (
    (
        r"no same position|magic|prime|square number|multipl(es? of|y|ication)|fold|wrong|neighbou?rhood|cell pointed"
        r"|frame|also act|unique (killer|total|sum)|at least one (other|pair)|all cages(?! (show|have (their|a)))"
        r"|product|clock\w*|outside the cage|closer|extend|adjacent to that|common digit|in common|both an?|or a sum"
        r"|how many arrows|towards|share a diagonal|short diagonal|reflect|average|no other|bishop|queen|arithmetic"
        r"|same (set|size|length|pair)|all (\w+ )?lines have|plus or minus|pass through|sharing|it touches"
        r"|as many even|either$|number of (\w+ )?(line|cage|arrow|dot|X)"
        r"|(no two|another|all of the) (\w+ )?(line|cage|arrow|square|circle|thermo\w*|bulb|dot|zipper)",
        "(?!)",
    ),
    ("same (total|sum|digit sum)|different (total|sum)s?|sums of all", "equal|zipper|double|sum-l"),
    (r"sum|total\w*|add", "sum|killer|arrow|zipper|sandwich|lunch|rellik"),
    (r"(sum|add|total)\w* (up )?(to|of) (\d+|five|ten)", "sum|killer|zipper|double"),
    (r"odd(?! length)|even (digit|number(?! of)|cell)|(is|are|be) (always )?even|parit\w+", "odd|even|parity|equality"),
    (r"(in|de)creas\w+|(a|de)scend\w*", "thermo"),
    (r"alternat\w*|\d apart|differ by|difference", "whisper|difference|lockout|parity|nabner|consec"),
    ("consecutive", "difference|renban|nabner|entrop|modular|whisper|consec"),
    ("(?<!or )(great|larg|high|small|low)(er|est)", "imum|grea|therm|betw|lock|sky|con|entr|diff|wich|lunch|mates"),
    ("(an?|the|digit) [1-9](?![:/-])", "killer|sandwich|index|x-sum|numbered|entrop|modular|counting|whisper|lunch"),
    ("same (digit|number)|be the same", "clone|palin|anti|disj|same|slow|nabner|modular|equal|zipper|sum-l"),
    (
        r"((can)?not|never|n't) (be )?repeat\w*|no digit may repeat|different digit|are (all )?(different|unique)",
        "killer|renban|nabner|region|windoku|disj|anti|diagonal|rellik|lunch|contains|equality|count|same|modular",
    ),
    (r"index\w*|indicates? the (column|row)", "index"),
    ("ratio|double the|twice (the|as)|half (the|of)", "ratio"),
    ("clone|end ?point", "clone|between|lockout|double"),
    ("middle|cent(er|re)", "zipper|entrop|equal|mates"),
)
"""Words that hardly ever explain a constraint, except one whose name the second pattern matches."""
_WORDS = dict(
    re.findall(
        r"([a-z-]+):(\S+)",
        r"""
    anti-king:king'?s?|chess|diagonal\w*|touch\w* anti-knight:knight'?s?|chess arrow:arrow|tens|two-digit|one.number
    between:between|line boxes:(?!) clone:clone|same|identical|shape|shaded|gr[ae]y
    contains:quad\w*|circle[sd]?|clue|surround\w* counting-circles:circle diagonal-down:diagonal diagonal-up:diagonal
    difference:dot|consecutive|white|kropki|differ disjoint-groups:disjoint|position
    double-arrow:double.arrow|circle|line entropic:entrop\w*|peach|orange|line
    equal-sums:region.sum|blue|border|boundar(y|ies)|sum|line even:even|square
    extra-region:region|window|extra|shaded|gr[ae]y|area greater:inequalit\w*|greater|less|larger|smaller|sign
    indexer:index\w*|row|column killer:cage|killer|dashed|dotted|window lines:(?!)
    little-killer:diagonal|little.killer|arrow|outside lockout:lockout|inside|diamond|endpoint|line
    maximum:max\w*|larger|greater|higher|fortress|bigger minimum:min\w*|smaller|lower|less
    modular:modular|mod|teal|line|columns nabner:nabner|yellow|gold|line no-difference:dot|given|negative|consecutive
    no-pair-sum:X|V|given|negative|sum no-ratio:dot|given|negative|ratio
    non-consecutive:consecutive|orthogonal\w*|adjacent|neighbou?r\w*|next.to
    numbered-room:numbered.room|outside|nth|first odd:odd|circle pair-sum:X|V|XV|X/V|Vs|Xs|sum
    palindrome:palindrom\w*|same.(forwards|in)|gr[ae]y|read ratio:dot|black|ratio|kropki|double|half
    regions:region|irregular|jigsaw|boxes renban:renban|purple|pink|consecutive|line|lilac|violet|magenta
    sandwich:sandwich\w*|between|outside|crust skyscraper:skyscraper|building|outside|visible|seen
    slow-thermometer:thermo\w*|bulb|decreas\w*|along thermometer:thermo\w*|bulb|increas\w*|along
    whisper:green|whisper|differ|line windoku:window|windoku|shaded|gr[ae]y x-sum:x.?sum|outside
    zipper:zipper|lavender|line sum:sum|cage|killer|dashed
    """,
    )
)
"""For the name of a constraint the words that explain it; for the others, the name itself."""
_TYPED: dict[type[Constraint], str] = {
    sums.Killer: "killer cages",
    lines.Thermometer: "thermometers",
    lines.Between: "between lines",
    sums.Arrow: "arrows",
    digits.Contains: "quadruples",
    sums.LittleKiller: "little killers",
}
_UNSTATED = "the rules text speaks of {}, which the file does not state"
_Mentioned: TypeAlias = tuple[tuple[str, str, tuple[type[Constraint], ...]], ...]
"""What a text may mention, a pattern for it, and the constraints that state it."""
_CAGES = (sums.Killer, sums.Sum, sums.Product, sums.Rellik, digits.EqualityCage, regions.ExtraRegion)
_NEGATIVE = (pairs.NoRatio, pairs.NoDifference, pairs.NoPairSum, pairs.NonConsecutive)
_OF_THE_BOARD: _Mentioned = (
    ("a knight's move", "knight|无马|骑士|马步", (regions.AntiKnight,)),
    (
        "a king's move",
        r"anti-?king|\bking'?s?\b|(touch|meet)\w*,? (even )?diagonally|diagonally (adjacent|touching)|无缘|国王",
        (regions.AntiKing,),
    ),
    (
        "neighbours that are not consecutive",
        r"non-?consecutive|orthogonally adjacent (digits|cells)( must)? differ by at least"
        rf"|({_NOT})((?!repeat|\bline).){{0,60}}\bconsecutive|[不非][能得可]?连续",
        (pairs.NonConsecutive, pairs.NoDifference, lines.Nabner),
    ),
    ("a negative constraint", r"^(?!.*\b(no|not|n't)\b).*negative constraint", _NEGATIVE),
    (
        "marks all of which are given",
        r"^(?!.*\bnot\b).*\b(all|every)\b.{0,60}\b(is|are|have been)( \w+){0,2} (given|shown|marked|drawn)",
        _NEGATIVE,
    ),
    ("rules that do not apply", r"sudoku.*(\bnot|n't) apply", ()),
    ("disjoint groups", "disjoint|(relative|corresponding) (positions? in|box)|同位", (regions.DisjointGroups,)),
    ("the digit 0", r"\b0 ?(-|–|to|through|and) ?[0-9]|(?<!\bno )\bzero\b", ()),
    (
        "modified digits or rules",
        r"doubler|negator|multiplier|modifier|(hot|cold) cell|schr(ö|oe?)dinger|\bwrogn\b|\bliar|eraser|werewol"
        r"|middler|chameleon|\bwild|\bcounts? (as|double)|considered as|value of (a|any|the digit)\b|\bunless\b"
        r"|\bmostly|\balmost\b|\bincorrect|\bfalse\b|\bassign|determine|discover|deduc|figure out"
        r"|either (?!increas|(small|larg|low|high|great)er).{0,60}\bor\b"
        r"|\b(six|eight|6|8) (different |unique |distinct |same )*digits",
        (),
    ),
    (
        "diagonals",
        r"\b(main|both|two|2|each|either|the|long|marked|indicated|positive|negative) diagonals?\b|sudoku.?x\b"
        r"|\bx.?sudoku|\bdiagonal sudoku|\A *diagonals?\W*\Z|对角线(?!相邻)",
        (regions.Diagonals, regions.DiagonalDown, regions.DiagonalUp, regions.ExtraRegion, sums.LittleKiller),
    ),
)
_UNDRAWN: _Mentioned = (
    *_OF_THE_BOARD,
    ("cages", r"\bcages?\b|(?<!小)杀手|[笼籠]|线框", _CAGES),
    ("thermometers", "thermo|温度计", (lines.Thermometer, lines.SlowThermometer)),
    ("palindromes", "palindrom|回文", (lines.Palindrome,)),
    ("arrows", "arrow|箭头", (sums.Arrow, sums.DoubleArrow, sums.LittleKiller, pairs.Minimum, pairs.Maximum)),
    ("sandwiches", "sandwich|三明治|夹心", (outside.Sandwich,)),
    ("quadruples", "quadruple|四[格角]提示", (digits.Contains, digits.ContainsExactly)),
    ("dots", "(white|black|kropki) dot|kropki|[黑白]点|(?<![不非])连续(数独|标记)", (pairs.Difference, pairs.Ratio)),
    ("whispers", "whisper|耳语|低语|密语", (lines.Whisper,)),
    ("renban lines", "renban|连数线", (lines.Renban,)),
    ("X and V", r"(?a:\bX\b(?!.?sum(?! to)).{0,60}\b10\b|\bV\b.{0,60}\b5\b)|XV(数独|标记)", (pairs.PairSum,)),
    ("irregular regions", r"jigsaw|irregular (region|sudoku)|不规则|锯齿|[异異]形", (regions.Regions,)),
    ("odd or even cells", "奇数|偶数|奇偶", (digits.Odd, digits.Even, lines.ParityLine)),
    ("windows or extra regions", "windoku|窗口|额外区域", (regions.Windoku, regions.ExtraRegion)),
    ("skyscrapers", "skyscraper|摩天", (outside.Skyscraper, outside.HiddenSkyscraper)),
    ("X-sums", r"\bx-sums?\b", (outside.XSum,)),
    ("clones", r"\bclones\b", (pairs.Clone,)),
    ("region sum lines", "region.?sum lines?", (sums.EqualSums,)),
    ("little killers", "little killer|小杀手", (sums.LittleKiller,)),
    ("zipper lines", "zipper", (sums.Zipper,)),
    ("numbered rooms", "numbered room", (outside.NumberedRoom,)),
    ("between lines", "between.?lines?", (lines.Between,)),
    ("lockout lines", "lockout", (lines.Lockout,)),
    ("entropic lines", "entropic", (lines.Entropic,)),
    ("nabner lines", "nabner", (lines.Nabner,)),
    ("global entropy", "global entropy", (digits.GlobalEntropy,)),
    ("signs of inequality", "不等[号號]|[大小]于号|比大小", (pairs.Greater,)),
)


UNREMARKABLE = re.compile(
    r"\b(the|and|of|is|are|must|each|every|rules?|digits?|numbers?|normal|classic)\b"
    r"|\A\s*([!-~]+\s*){1,3}\Z|标准|普通|经典|常规|每行每列每宫",
    re.IGNORECASE,
)
"""Text in English, of up to three words, or in Chinese about usual rules: no note says that it is not understood."""


def unstated(
    rules: str, constraints: Iterable[Constraint], mentioned: _Mentioned = _UNDRAWN
) -> Iterator[tuple[str, tuple[type[Constraint], ...]]]:
    """Yields what a rules text mentions and no constraint states, each with the constraints that would state it."""
    kinds = set(map(type, with_nested(constraints)))
    return ((what, stated) for what, pattern, stated in mentioned if not kinds & {*stated} and _matches(rules, pattern))


_COLOUR = "gr[ae]y|black|white|red|blue|green|yellow|orange|pink|purple|violet|cyan|brown|teal|magenta|golden|lilac"
_THING = "cells?|squares?|regions?|areas?|box(?:es)?|shapes?|rows?|columns?|digits?|numbers?|tiles?"
_NAMES_COLOURS = re.compile(
    rf"shad(?:ed|ing)|colou?r|highlight|tinted|\b(?:{_COLOUR})(?: |-)(?:\w+(?: |-)){{0,2}}(?:{_THING})", re.IGNORECASE
)


def note_shading(draft: Draft, coloured: Iterable[tuple[str, int]]) -> None:
    """If the rules text mentions coloured cells, note each colour whose cells are not those of a typed rule."""
    if not _NAMES_COLOURS.search(draft.rules):
        return
    groups: list[tuple[int, ...]] = []
    for rule in draft.constraints:
        match rule:
            case pairs.Clone(found):
                groups += found
            case pairs.Minimum(cell):
                groups.append((cell,))
            case regions.Regions() | regions.ExtraRegion() | regions.Windoku():
                groups += (house.cells for house in rule.houses(draft.board))
    for colour, cells in grouped(coloured).items():
        alike = {*cells}
        rest = alike.difference(*(group for group in groups if alike.issuperset(group)))
        if rest:
            names = " ".join(draft.board.cell_name(cell) for cell in sorted(rest)[:5])
            more = f" and {len(rest) - 5} more" if len(rest) > 5 else ""
            found_there = f"{shown(colour)} in {names}{more}"
            draft.note_unknown(f"the rules text speaks of colours, but {found_there} belongs to no typed rule")
