"""Photos of parcels at a pick-up: boxes on a counter or on the pavement, with the guide number on a board."""
from PIL import Image, ImageDraw, ImageFilter

from .picture import board, jpeg, roughen, shade

SIZE = (480, 360)
_FLOORS = ((150, 148, 142), (118, 122, 128), (168, 154, 132))
_WALLS = ((206, 204, 196), (186, 200, 206), (212, 196, 170))
_CARD = ((176, 132, 84), (190, 148, 98), (156, 112, 66))


def parcel_photo(random, caption, exif, limit=16_000):
    """JPEG bytes; `caption` is the lines of the board."""
    width, height = SIZE
    picture = Image.new("RGB", SIZE, random.choice(_WALLS))
    draw = ImageDraw.Draw(picture)
    horizon = round(height * (0.45 + random.random() * 0.1))
    draw.rectangle((0, horizon, width, height), fill=random.choice(_FLOORS))
    left = round(width * 0.08)
    for _ in range(random.randint(1, 3)):
        wide, high, deep = random.randint(90, 150), random.randint(70, 140), random.randint(18, 34)
        _box(draw, left, height - 46 - random.randint(0, 40), wide, high, deep, random.choice(_CARD))
        left += wide + deep + random.randint(6, 26)
    picture = roughen(picture, random, ((48, 0.16), (9, 0.2), (3, 0.24)))
    board(picture, (14, 12), caption)
    return jpeg(picture.filter(ImageFilter.GaussianBlur(0.5)), exif, limit)


def _box(draw, left, bottom, wide, high, deep, colour):
    right, top = left + wide, bottom - high
    draw.polygon([(left, top), (left + deep, top - deep), (right + deep, top - deep), (right, top)], fill=shade(colour, 1.15))
    draw.polygon([(right, top), (right + deep, top - deep), (right + deep, bottom - deep), (right, bottom)], fill=shade(colour, 0.72))
    draw.rectangle((left, top, right, bottom), fill=colour, outline=shade(colour, 0.6))
    draw.rectangle((left + wide * 0.44, top, left + wide * 0.56, bottom), fill=shade(colour, 1.25))
    draw.rectangle((left + 8, bottom - 34, left + 52, bottom - 8), fill=(240, 240, 236), outline=(120, 120, 120))
