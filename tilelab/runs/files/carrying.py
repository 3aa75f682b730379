"""Pictures that carry a text: where it stands in PNG, SVG and PDF files."""

import io

_XMP = """<?xpacket begin="\N{ZERO WIDTH NO-BREAK SPACE}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:tilelab="urn:tilelab">
<tilelab:run>{text}</tilelab:run>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"""


def png_with(picture: bytes, text: str) -> bytes:
    """Return a PNG picture with a text in a chunk of its own."""
    # Late: the window's first paint waits for nothing that it does not show.
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    facts = PngInfo()
    facts.add_text("tilelab", text)
    made = io.BytesIO()
    with Image.open(io.BytesIO(picture), formats=["PNG"]) as image:
        image.save(made, "PNG", pnginfo=facts, dpi=image.info.get("dpi"))
    return made.getvalue()


def svg_with(picture: bytes, text: str) -> bytes:
    """Return an SVG picture with a text in its metadata."""
    begin, end, rest = picture.rpartition(b"</svg>")
    return begin + f"<metadata>{text}</metadata>\n".encode() + end + rest


def picture_with(picture: bytes, suffix: str, text: str) -> bytes:
    """Return a picture that carries a text; suffix: .png or .svg. '' is not carried."""
    carrying = {".png": png_with, ".svg": svg_with}.get(suffix)
    return carrying(picture, text) if carrying is not None and text else picture


def xmp_with(text: str) -> bytes:
    """Return the metadata of a PDF file, which stand in it as they are."""
    return _XMP.format(text=text).encode()
