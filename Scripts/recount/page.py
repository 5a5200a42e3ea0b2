"""What a report's pages print, and the figures that they are held against."""
import re
import subprocess
from decimal import ROUND_HALF_UP, Decimal

TONES = ("! ", "✗ ", "✓ ")


class Fixed:
    """A number with its decimals, as a cell has it."""

    def __init__(self, value, decimals):
        self.text = str(Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))


class Page:
    """All lines of a document. Blanks between words count as one."""

    def __init__(self, pdf, language):
        text = subprocess.run(["/usr/bin/pdftotext", "-layout", pdf, "-"], check=True, capture_output=True, text=True).stdout
        lines = [" ".join(line.split()) for line in text.splitlines()]
        self.lines = [line[2:] if line.startswith(TONES) else line for line in lines if line]
        self.known = set(self.lines)
        self.mark = "," if language == "it" else "."
        self.held, self.faults = 0, []

    def word(self, cell):
        """A number, a number with decimals or a text as it is printed; nothing for None."""
        if cell is None: return ""
        text = cell.text if isinstance(cell, Fixed) else str(cell)
        return text.replace(".", self.mark) if isinstance(cell, Fixed | float) else text

    def line(self, *cells):
        """A line has these cells and no others."""
        wanted = " ".join(" ".join(self.word(cell) for cell in cells).split())
        self._hold(cells, wanted in self.known, wanted)

    def ends(self, start, *cells):
        """A line begins with this text, of which the rest may be on the next line, and ends with these cells."""
        end = " " + " ".join(filter(None, (self.word(cell) for cell in cells)))
        self._hold(cells, any(line.startswith(start) and line.endswith(end) for line in self.lines), start + " …" + end)

    def says(self, pattern, *cells):
        """A line contains the pattern, with a cell in each pair of braces."""
        wanted = pattern.format(*(self.word(cell) for cell in cells))
        self._hold(cells, any(wanted in line for line in self.lines), wanted)

    def _hold(self, cells, found, wanted):
        self.held += sum(isinstance(cell, int | float | Fixed) or bool(re.fullmatch(r"[A-Z]{2}(-[A-Z]{2})?|A-[1-8][-0-9a-b]* \(\d+\)", cell or "")) for cell in cells)
        if not found: self.faults.append(wanted)
