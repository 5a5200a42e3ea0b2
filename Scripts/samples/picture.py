"""What all drawn photos share: noise, lettering, and a JPEG of bounded size."""
import io

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

# Pillow's own bitmap font is the same on every machine, whatever fonts are installed.
_FACE = ImageFont.load_default()


def noise(random, size, cell):
    """Grey noise in blobs of about `cell` pixels, around mid grey."""
    width, height = max(2, size[0] // cell), max(2, size[1] // cell)
    grain = Image.frombytes("L", (width, height), random.randbytes(width * height))
    return grain.resize(size, Image.BICUBIC)


def roughen(picture, random, cells=((64, 0.22), (12, 0.28), (3, 0.32))):
    """Lays noise of several sizes over a picture: (cell in pixels, strength from 0 to 1)."""
    for cell, strength in cells:
        grain = noise(random, picture.size, cell)
        flat = Image.new("L", picture.size, 128)
        layer = Image.blend(flat, grain, strength)
        picture = ImageChops.overlay(picture, Image.merge("RGB", (layer, layer, layer)))
    return picture


def letter(picture, place, text, colour, scale=2):
    """Draws Latin-1 text, enlarged, with its upper left corner at `place`."""
    text = text.encode("latin-1", "replace").decode("latin-1")
    _left, _top, right, bottom = _FACE.getbbox(text)
    mask = Image.new("L", (max(1, right), max(1, bottom)), 0)
    ImageDraw.Draw(mask).text((0, 0), text, fill=255, font=_FACE)
    mask = mask.resize((mask.width * scale, mask.height * scale), Image.BICUBIC)
    picture.paste(Image.new("RGB", mask.size, colour), place, mask)
    return mask.size


def board(picture, place, lines, scale=2, paper=(243, 241, 232), ink=(28, 30, 38)):
    """A caption board as crews hold into the picture."""
    widths = [_FACE.getbbox(line.encode("latin-1", "replace").decode("latin-1"))[2] for line in lines]
    width, height = max(widths) * scale + 24, len(lines) * 11 * scale + 18
    draw = ImageDraw.Draw(picture)
    x, y = place
    draw.rectangle((x + 4, y + 5, x + width + 4, y + height + 5), fill=(40, 34, 28))
    draw.rectangle((x, y, x + width, y + height), fill=paper, outline=(90, 80, 66), width=3)
    for index, line in enumerate(lines):
        letter(picture, (x + 12, y + 8 + index * 11 * scale), line, ink, scale)
    return width, height


def shade(colour, amount):
    """A colour made lighter (above 1) or darker (below 1)."""
    return tuple(max(0, min(255, round(part * amount))) for part in colour)


def jpeg(picture, exif, limit, quality=70):
    """JPEG bytes of at most `limit` bytes: softened, then compressed harder, until they fit."""
    softened = picture
    while True:
        buffer = io.BytesIO()
        softened.save(buffer, "JPEG", quality=quality, exif=exif, optimize=True)
        if buffer.tell() <= limit or quality <= 30:
            return buffer.getvalue()
        if softened is picture:
            softened = picture.filter(ImageFilter.GaussianBlur(0.8))
        else:
            quality -= 6
