"""Finds the small mistakes that Scripts/mutate makes, and writes them so that one build holds all of them."""
import collections
import dataclasses
import hashlib
import pathlib
import random
import re

from checks import swift_text

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The rooms that decide things, and their shares of the mutants, about as the roots of their sizes.
ROOMS = {
    "Replica": 6, "Importing": 6, "Model": 4, "Packs": 4, "Validating": 3, "Exporting": 3, "Counting": 3, "Schemas": 3,
    "Remotes": 2, "Signing": 2, "JSONReading": 2, "Recording": 1, "SQLReading": 1, "Databases": 1, "Patterns": 1,
    "Photos": 1, "Coordinates": 1, "Geometry": 1, "Soils": 1,
}
# Each operator, what it becomes, and its precedence.
TURNED = {
    "==": ("!=", "Comparison"), "!=": ("==", "Comparison"),
    "<": ("<=", "Comparison"), "<=": ("<", "Comparison"), ">": (">=", "Comparison"), ">=": (">", "Comparison"),
    "&&": ("||", "LogicalConjunction"), "||": ("&&", "LogicalDisjunction"),
}
DECLARATION = re.compile(r"(?<![\w.])(func|init|deinit|subscript|var|struct|enum|class|extension|protocol|actor)\b")
OPERATOR = re.compile(r"(?<= )(==|!=|<=|>=|<|>|&&|\|\|)(?= )")
CONDITION = re.compile(r"\b(?:if|guard) (?P<condition>[^,{}#]+?) (?:else )?\{")
NO_CONDITION = re.compile(r"\b(let|var|case)\b|^[^&|]+ [!=]= [^&|]+$")
CONSTANT = re.compile(r"(?<![\w.$<])(?<!\de-)(?:true|false|\d[\d_]*(?:\.\d+)?)(?!\w|\.\d)")
SINGLE_CONSTANT = re.compile(r"\s*(?:(?:package|private|fileprivate|static) )*let \w+(?:: \w+)? = ")
STATEMENT = re.compile(
    r"(?:(?:try|await|unsafe) )*"
    r"(?!(?:self|super|return|throw|if|guard|for|let|var|case|switch|while|else|defer|do|catch|repeat)\b)"
    r"[A-Za-z_][\w.?!]*(?:\[[^\]]*\])?(?:\(.*\)| (?:[-+*/|&]?=) .+)")
# Lines without mutants: attributes, conditions of the compiler, imports, and what only saves time.
IDLE = re.compile(r"^\s*(?:[@#]|(?:\w+ )?import )|[cC]apacity")


@dataclasses.dataclass(frozen=True)
class Mutant:
    room: str
    file: str
    line: int  # from 0
    start: int
    end: int
    kind: str
    before: str  # the whole line
    changed: str

    @property
    def old(self):
        return self.before[self.start:self.end]

    @property
    def place(self):
        return f"{self.file}:{self.line + 1}"

    @property
    def after(self):
        return self.with_text(self.changed).strip() or "(left out)"

    def with_text(self, text):
        return self.before[:self.start] + text + self.before[self.end:]

    def switched(self, number):
        """The line as it is, and as the mutant has it where the run has its number."""
        switch = f"mutant({number})"
        if self.kind == "operator":
            return self.with_text(operator_name(number))
        if self.kind == "condition":
            return self.with_text(f"{switch} != ({self.old})")
        if self.kind == "statement":
            return self.with_text(f"if !{switch} {{ {self.old} }}")
        return self.with_text(f"({switch} ? {self.changed} : {self.old})")


def operator_name(number):
    """An operator of its own for each mutant, so that precedence finds the operands. It has signs for digits."""
    return "".join(chr(0x2200 + int(digit)) for digit in str(number))


def helper(mutants):
    """The Swift file that a room gets: the switch and the room's operators."""
    lines = [
        "import Foundation", "",
        'private let chosen = ProcessInfo.processInfo.environment["FICHERO_MUTANT"].flatMap { Int($0) }', "",
        "func mutant(_ number: Int) -> Bool { number == chosen }"]
    for number, mutant in mutants.items():
        if mutant.kind != "operator":
            continue
        name, old, new = operator_name(number), mutant.old, mutant.changed
        lines += ["", f"infix operator {name}: {TURNED[old][1]}Precedence"]
        if old in ("&&", "||"):
            lines.append(
                f"func {name} (_ a: Bool, _ b: @autoclosure () throws -> Bool) rethrows -> Bool "
                f"{{ try mutant({number}) ? a {new} b() : a {old} b() }}")
            continue
        body = f"-> Bool {{ mutant({number}) ? a {new} b : a {old} b }}"
        is_equality = old in ("==", "!=")
        lines.append(f"func {name} <T: {'Equatable' if is_equality else 'Comparable'}>(_ a: T, _ b: T) {body}")
        if is_equality:
            lines.append(f"func {name} <T>(_ a: T?, _ b: _OptionalNilComparisonType) {body}")
    return "\n".join(lines) + "\n"


def within_functions(code):
    """For each character, whether it is in the body of a function or of a property."""
    inside, found, header, bodies = bytearray(len(code)), False, 0, []
    for index, character in enumerate(code):
        if character == "{":
            text = code[header:index]
            words = DECLARATION.findall(text)
            bodies.append(found)
            if "@inlinable" in text:
                found = False
            elif words:
                found = words[-1] in ("func", "init", "deinit", "subscript", "var")
        elif character == "}" and bodies:
            found = bodies.pop()
        inside[index] = found
        if character in "{}":
            header = index + 1
    return inside


def is_balanced(text):
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def raised(constant):
    if constant in ("true", "false"):
        return "false" if constant == "true" else "true"
    whole, point, rest = constant.partition(".")
    return f"{int(whole) + 1}{point}{rest}"


def is_statement(lines, index):
    """Whether a line is a whole statement, as far as its text and its neighbours say."""
    text = lines[index].strip()
    if not STATEMENT.fullmatch(text) or not is_balanced(text):
        return False
    before = next((line.strip() for line in reversed(lines[:index]) if line.strip()), "")
    after = next((line.strip() for line in lines[index + 1:] if line.strip()), "")
    if before[-1:] in tuple(",([=&|+-?.<>") or re.match(r"[.?:&|+\-*/=)\]]", after):
        return False
    # A line that is alone in its block may be the value of the block.
    is_alone = after.startswith("}") and before.endswith(("{", " in"))
    return not is_alone or re.match(r"(?:if|for|guard|\} else)\b", before) is not None


def mutants_of(path):
    """Every mutant of one file, from its first line to its last."""
    text = path.read_text(encoding="utf-8")
    code = swift_text.code(text, in_place=True)
    inside, offset = within_functions(code), 0
    lines, originals = code.split("\n"), text.split("\n")
    room, file = path.relative_to(ROOT).parts[1], str(path.relative_to(ROOT))
    for index, (line, original) in enumerate(zip(lines, originals)):
        first, offset = offset, offset + len(line) + 1
        if IDLE.search(line):
            continue

        def make(start, end, kind, changed, index=index, original=original):
            return Mutant(room, file, index, start, end, kind, original, changed)

        def is_inside(start, first=first):
            return inside[first + start]

        for match in OPERATOR.finditer(line):
            if is_inside(match.start()):
                yield make(*match.span(), "operator", TURNED[match[0]][0])
        for match in CONDITION.finditer(line):
            start, end = match.span("condition")
            if is_inside(start) and not NO_CONDITION.search(match["condition"]) and is_balanced(match["condition"]):
                yield make(start, end, "condition", f"!({original[start:end]})")
        for match in CONSTANT.finditer(line):
            if SINGLE_CONSTANT.match(line) or (is_inside(match.start()) and not re.search(r"\bcase\b", line)):
                yield make(*match.span(), "constant", raised(match[0]))
        start = len(line) - len(line.lstrip())
        if line.strip() and '"""' not in original and is_inside(start) and is_statement(lines, index):
            yield make(start, len(line.rstrip()), "statement", "")


class Choice:
    """The mutants of a seed by number, and for each room those that may still take a place."""

    def __init__(self, rooms, seed, count):
        draws = random.Random(seed).choices(rooms, [ROOMS[room] for room in rooms], k=count)
        self.waiting = {room: self.ordered(room, seed) for room in sorted(set(draws))}
        self.counts = {room: len(waiting) for room, waiting in self.waiting.items()}
        self.taken = set()
        self.broken = []
        self.mutants = {}
        for number, room in enumerate(draws, 1):
            self.fill(number, room)

    @staticmethod
    def ordered(room, seed):
        """The order hangs on the seed and the texts of lines, so that a change of other lines leaves it as it is."""
        keys = {}
        for path in sorted((ROOT / "Sources" / room).rglob("*.swift")):
            seen = collections.Counter()
            for mutant in mutants_of(path):
                words = (mutant.file, mutant.kind, mutant.before.strip(), mutant.after)
                seen[words] += 1
                keys[mutant] = hashlib.sha256(repr((seed, *words, seen[words])).encode()).digest()
        return sorted(keys, key=keys.get, reverse=True)

    def fill(self, number, room):
        """Gives the number to the next mutant of the room whose line has none yet."""
        while self.waiting[room]:
            mutant = self.waiting[room].pop()
            if mutant.place not in self.taken:
                self.taken.add(mutant.place)
                self.mutants[number] = mutant
                return
        self.mutants.pop(number, None)

    def replace(self, errors):
        """Replaces what the compiler refuses: errors by file and line. Returns how many."""
        refused = {}
        for (file, line), message in errors.items():
            own = {mutant.line + 1: number for number, mutant in self.mutants.items() if mutant.file == file}
            # An error may stand below its cause: a value without an assignment, for one.
            above = [known for known in sorted(own) if known <= line]
            if own:
                refused[own[above[-1] if above else min(own)]] = message
        for number, message in sorted(refused.items()):
            mutant = self.mutants[number]
            self.broken.append(mutant)
            print(f"not built: {mutant.place} {mutant.kind}: {mutant.after}: {message}", flush=True)
            self.fill(number, mutant.room)
        return len(refused)
