"""Names and titles that try to be more than text, for whatever shows them."""

NASTY = {
    "escape": "a\x1b]0;x\x07b",
    "colour": "a\x1b[31mb\x9b1mc",
    "tab": "a\tb",
    "line": "a\nb\rc",
    "direction": "a\u202egpj.b",
    "line mark": "a\u2028b\u2029c",
    "markup": "<b>a</b><img src=x>",
    "rich markup": "[red]a[/red]",
    "ampersand": "a & b &amp; c",
    "formula": '=HYPERLINK("x")',
    "sum": "+1+cmd|x",
    "minus": "-1+1",
    "at": "@SUM(A1)",
    "changed mark": "a[*]b",
}
"""By what is nasty in them; all but those with a slash can be the name of a file."""

STEERING = "".join(map(chr, [*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0)])) + (
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029"
)
"""What no line of a terminal may hold."""


def steers(text: str) -> bool:
    """Return whether lines of text hold anything but what is shown."""
    return any(symbol in STEERING for symbol in text)
