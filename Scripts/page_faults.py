"""Finds what a typesetter would not accept on the pages of PDF files, and prints each fault.

    page_faults.py [--sheets] [--least SIZE] FILE.pdf …
    page_faults.py --fill FILE.pdf …

A line has the file's name, the page, the fault's kind, and the text. The kinds:

    outside   a text that is not wholly on the page
    overlap   two texts in one place
    tiny      letters below 6 points
    hidden    a text that is covered, cut, or has the colour of its ground
    cut       a text that ends with … though the report's data does not
    orphan    a page with next to nothing on it, before others of the file
    number    a spreadsheet's ### (a number wider than its column)

`--sheets` is for spreadsheets that LibreOffice printed: their pages are scaled to the paper, so that
sizes say nothing, and a last page of a sheet may be short. `--fill` prints the pages that are less than half full,
and how many pages there are: a page is full as far as the lowest thing between its head and its foot. `last` is the
last page of a file, and every page but the first of a record that is numbered by itself ("2 de 2"). `only` is the one
page of a file or of such a record ("1 de 1"), which may be as short as what it says: it does not count as half empty. `--least SIZE` is
the size below which letters are tiny, also on sheets. Needs pdftotext, pdftoppm, and PIL.
"""
import argparse
import collections
import glob
import html
import os
import re
import subprocess
import sys
import tempfile

from PIL import Image, ImageFont

LEAST = 6.0  # points
DOTS = 100  # to the inch, for what is seen
# From the top of the letters to their foot, to the size. Poppler knows it from the font.
HEIGHT = 1.117
FONT = ImageFont.truetype("/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf", 100)
WORD = re.compile(r'<word xMin="(.*)" yMin="(.*)" xMax="(.*)" yMax="(.*)">(.*)</word>')
# The number of the last page of a record, in the page's head.
NUMBERED = re.compile(r"\b(\d+) (?:de|di|of) \1\b")
# The head and the foot of a page: they do not fill it.
HEAD, FOOT = 90.0, 60.0


class Word:
    def __init__(self, box, text):
        self.left, self.top, self.right, self.bottom = box
        self.text = text
        self.width, self.height = self.right - self.left, self.bottom - self.top
        advance = FONT.getlength(text) / 100
        # A word that is set upwards is as wide as its letters are high.
        upright = abs(self.height * advance - self.width * HEIGHT)
        turned = abs(self.width * advance - self.height * HEIGHT)
        self.is_turned = turned < upright * 0.5
        self.size = (self.width if self.is_turned else self.height) / HEIGHT

    def ink(self):
        """The box without the room for accents and for the tails of letters."""
        if self.is_turned: return self.left + 0.2 * self.width, self.top, self.right - 0.2 * self.width, self.bottom
        return self.left, self.top + 0.2 * self.height, self.right, self.bottom - 0.2 * self.height


def pages(path):
    """Every page's width, height, and words."""
    done = subprocess.run(["pdftotext", "-bbox", path, "-"], capture_output=True, text=True, check=True)
    found = []
    for line in done.stdout.splitlines():
        size = re.search(r'<page width="(.*)" height="(.*)">', line)
        if size: found.append((float(size[1]), float(size[2]), []))
        word = WORD.search(line)
        if word and word[5].strip(): found[-1][2].append(Word([float(number) for number in word.groups()[:4]], html.unescape(word[5])))
    return found


def overlapping(words):
    """Pairs of words that share a place."""
    ordered = sorted(words, key=lambda word: word.top)
    for index, first in enumerate(ordered):
        left, top, right, bottom = first.ink()
        for second in ordered[index + 1:]:
            if second.top > first.bottom: break
            a, b, c, d = second.ink()
            if min(right, c) - max(left, a) > 0.7 and min(bottom, d) - max(top, b) > 0.7: yield first, second


def is_seen(word, picture):
    """Whether both halves of a word differ from their ground."""
    scale = DOTS / 72
    left, top, right, bottom = (round(edge * scale) for edge in word.ink())
    # Points and dashes have no ink to speak of.
    if right - left < 2 or bottom - top < 2 or not any(letter.isalnum() for letter in word.text): return True
    middle, centre = (left + right) // 2, (top + bottom) // 2
    if len(word.text) < 3: halves = [(left, top, right, bottom)]
    elif word.is_turned: halves = [(left, top, right, centre), (left, centre, right, bottom)]
    else: halves = [(left, top, middle, bottom), (middle, top, right, bottom)]
    for half in halves:
        darkest, lightest = picture.crop(half).getextrema()
        if lightest - darkest < 40: return False
    return True


def filled(picture):
    """How much of the page's room is taken, from its upper edge to the lowest thing on it."""
    scale = DOTS / 72
    top, bottom = int(HEAD * scale), int(picture.height - FOOT * scale)
    inked = picture.crop((0, top, picture.width, bottom)).point(lambda value: 255 if value < 235 else 0).getbbox()
    return inked[3] / (bottom - top) if inked else 0.0


def seen(path):
    """A grey picture of every page."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["pdftoppm", "-r", str(DOTS), "-gray", path, folder + "/p"], check=True)
        for file in sorted(glob.glob(folder + "/p*.pgm")):
            with Image.open(file) as picture:
                picture.load()
                yield picture


def fill(paths):
    """Prints each page that is less than half full, and its place in its document; at the end, counts."""
    count, half = 0, collections.Counter()
    for path in paths:
        parts = [filled(picture) for picture in seen(path)]
        count += len(parts)
        for number, (part, page) in enumerate(zip(parts, pages(path)), 1):
            if part >= 0.5: continue
            numbered = NUMBERED.search(" ".join(word.text for word in page[2]))
            if len(parts) == 1 or (numbered and numbered[1] == "1"): place = "only"
            else: place = "last" if number == len(parts) or numbered else "short"
            half[place] += 1
            print(f"{os.path.basename(path)}\t{number}\t{place}\t{part:.0%}")
    print(f"{count} pages, {half['short'] + half['last']} half empty: {half['short']} before others, {half['last']} the last of"
          f" their document; {half['only']} that are short and alone")


def faults(path, sheets, least):
    found = pages(path)
    for number, ((width, height, words), picture) in enumerate(zip(found, seen(path)), 1):
        for word in words:
            if word.left < -0.5 or word.top < -0.5 or word.right > width + 0.5 or word.bottom > height + 0.5: yield number, "outside", word.text
            elif not is_seen(word, picture): yield number, "hidden", word.text
            if word.size < least - 0.05: yield number, "tiny", f"{word.text} ({word.size:.1f})"
            if word.text.endswith("…") and len(word.text) > 1: yield number, "cut", word.text
            if re.fullmatch("#{2,}", word.text): yield number, "number", word.text
        for first, second in overlapping(words): yield number, "overlap", f"{first.text} | {second.text}"
        if number < len(found) and not sheets and filled(picture) < 0.1: yield number, "orphan", f"{filled(picture):.0%}"


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", nargs="+", metavar="FILE.pdf")
    options.add_argument("--sheets", action="store_true")
    options.add_argument("--fill", action="store_true")
    options.add_argument("--least", type=float)
    chosen = options.parse_args()
    if chosen.fill: sys.exit(fill(chosen.files))
    smallest = chosen.least or (0 if chosen.sheets else LEAST)
    for name in chosen.files:
        for place, fault, what in faults(name, chosen.sheets, smallest): print(f"{os.path.basename(name)}\t{place}\t{fault}\t{what}")
