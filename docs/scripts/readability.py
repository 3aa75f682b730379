"""Print the Flesch reading ease of the manual's pages: ``python docs/scripts/readability.py``.

It is 206.835 - 1.015 words per sentence - 84.6 syllables per word (Flesch 1948): 60 is plain
English, 30 that of papers. Other files can be named on the command line. Tables, code, headings and
links are left out.
"""

import re
import statistics
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]


def reading_ease(markdown):
    """Return the reading ease of a page's paragraphs and lists; None for a page of tables only."""
    text = re.sub(r"```.*?```|<!--.*?-->", "\n\n", markdown, flags=re.DOTALL)
    text = re.sub(r"^(?: {4}|\||#|!).*$", "\n\n", text, flags=re.MULTILINE)
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "code", text))
    ends = r"(?<=[.!?])\s+|\n\s*\n|\n\s*(?:[*-]|\d+\.) "
    sentences = [
        words for part in re.split(ends, text) if (words := re.findall(r"[^\W\d_]+", part))
    ]
    words = [word for sentence in sentences for word in sentence]
    if not words:
        return None
    n_syllables = sum(map(syllables, words))
    return 206.835 - 1.015 * len(words) / len(sentences) - 84.6 * n_syllables / len(words)


def syllables(word):
    """Return the number of syllables of an English word, nearly: groups of vowels, no final e."""
    spoken = re.sub(
        r"(?<=[^aeiouylt])e[sd]?$|(?<=[aeiouy][lt])e[sd]?$|(?<=[^td])ed$", "", word.lower()
    )
    return max(len(re.findall(r"[aeiouy]+", spoken)), 1)


def main(names):
    """Print the reading ease of each page, the least readable first, and the median."""
    pages = [Path(name) for name in names] or [DOCS.parent / "README.md", *DOCS.rglob("*.md")]
    rated = [(ease, page) for page in pages if (ease := reading_ease(page.read_text("utf-8")))]
    for ease, page in sorted(rated):
        sys.stdout.write(f"{ease:6.1f}  {page.name}\n")
    sys.stdout.write(f"{statistics.median(ease for ease, _ in rated):6.1f}  median\n")


if __name__ == "__main__":
    main(sys.argv[1:])
