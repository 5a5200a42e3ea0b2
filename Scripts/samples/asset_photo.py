"""Photos of building assets: a wall or a ceiling with the thing on it, its label and the room's number."""
from PIL import Image, ImageDraw, ImageFilter

from .picture import jpeg, letter, roughen, shade

_LIMIT = 16_000


def asset_photo(random, family, size, label, exif, limit=_LIMIT):
    """JPEG bytes; the longer side of `size` stays within the app's 1280 pixels."""
    picture = Image.new("RGB", (640, 480), random.choice(((226, 222, 210), (214, 220, 222), (230, 226, 200), (204, 210, 200))))
    draw = ImageDraw.Draw(picture)
    if family in _ON_CEILING:
        for x in range(-320, 960, 106):
            draw.line((x, 480, 320 + (x - 320) * 0.5, 0), fill=(190, 188, 180), width=2)
    else:
        draw.rectangle((0, 400, 640, 480), fill=(150, 130, 108))
        draw.rectangle((0, 392, 640, 402), fill=(240, 238, 230))
    _DRAWN[family](draw, random)
    picture = roughen(picture, random, ((160, 0.16), (6, 0.07), (2, 0.07)))
    for index, line in enumerate(label):
        letter(picture, (16, 420 + 24 * index), line, (70, 58, 40) if family in _ON_CEILING else (255, 236, 150))
    picture = picture.filter(ImageFilter.GaussianBlur(0.6)).resize(size, Image.BICUBIC)
    return jpeg(picture, exif, limit, quality=80)


def _lighting(draw, random):
    draw.rectangle((150, 120, 490, 330), fill=(250, 250, 240), outline=(150, 150, 150), width=6)
    for x in (235, 320, 405):
        draw.line((x, 124, x, 326), fill=(210, 210, 200), width=4)
    draw.rectangle((170, 140, 220, 310), fill=(255, 255, 255))


def _radiator(draw, random):
    elements = random.randrange(7, 14)
    for index in range(elements):
        x = 120 + index * 32
        draw.rounded_rectangle((x, 150, x + 27, 372), 12, fill=(238, 236, 228), outline=(160, 158, 150), width=2)
    draw.rectangle((104, 346, 124, 400), fill=(170, 150, 120))
    draw.ellipse((86, 326, 128, 366), fill=(242, 242, 242), outline=(120, 120, 120), width=2)


def _access_point(draw, random):
    draw.ellipse((210, 120, 430, 340), fill=(250, 250, 250), outline=(180, 180, 180), width=5)
    draw.ellipse((306, 216, 334, 244), fill=random.choice(((60, 140, 240), (80, 200, 120), (240, 160, 50))))


def _extinguisher(draw, random):
    draw.rounded_rectangle((262, 130, 378, 382), 34, fill=(196, 28, 30), outline=(110, 10, 12), width=3)
    draw.rectangle((296, 96, 344, 132), fill=(40, 40, 40))
    draw.line((344, 110, 420, 150, 408, 300), fill=(24, 24, 24), width=12)
    draw.rectangle((280, 210, 360, 290), fill=(244, 236, 220))
    draw.rectangle((440, 80, 530, 170), fill=(206, 30, 34), outline=(255, 255, 255), width=4)


def _door(draw, random):
    tone = random.choice(((168, 120, 70), (90, 120, 150), (150, 156, 150)))
    draw.rectangle((200, 40, 440, 402), fill=shade(tone, 0.7))
    draw.rectangle((214, 54, 426, 400), fill=tone)
    draw.rectangle((250, 84, 390, 170), fill=(196, 214, 220), outline=shade(tone, 0.6), width=4)
    draw.rectangle((226, 232, 414, 248), fill=(50, 120, 60))


def _split(draw, random):
    draw.rounded_rectangle((110, 110, 530, 240), 22, fill=(246, 246, 244), outline=(170, 170, 170), width=3)
    draw.rectangle((130, 208, 510, 226), fill=(120, 124, 126))
    draw.rectangle((450, 132, 500, 150), fill=(90, 220, 140))
    draw.line((530, 220, 590, 230, 596, 392), fill=(224, 222, 214), width=20)


def _panel(draw, random):
    draw.rectangle((190, 70, 450, 370), fill=(206, 208, 204), outline=(120, 122, 120), width=6)
    for row in range(3):
        draw.rectangle((214, 110 + row * 84, 426, 170 + row * 84), fill=(70, 72, 76))
        for column in range(10):
            on = random.random() < 0.85
            x, y = 220 + column * 20, 118 + row * 84
            draw.rectangle((x, y, x + 15, y + 44), fill=(236, 236, 232))
            draw.rectangle((x + 4, y + (6 if on else 22), x + 11, y + (20 if on else 36)), fill=(40, 40, 44))


def _detector(draw, random):
    draw.ellipse((230, 140, 410, 320), fill=(244, 244, 240), outline=(170, 170, 166), width=5)
    draw.ellipse((268, 178, 372, 282), fill=(214, 214, 210), outline=(150, 150, 146), width=4)
    draw.ellipse((350, 160, 362, 172), fill=(230, 40, 40))


_ON_CEILING = ("Lighting", "Access points", "Smoke detectors")
_DRAWN = {
    "Lighting": _lighting, "Radiators": _radiator, "Access points": _access_point, "Fire extinguishers": _extinguisher,
    "Doors": _door, "Split units": _split, "Sockets/Electrical panels": _panel, "Smoke detectors": _detector,
}
