"""Photos of test pits: the wall with its strata, the pit from the road, the heap of spoil."""
import math

from PIL import Image, ImageDraw, ImageFilter

from .picture import board, jpeg, letter, roughen, shade

SIZE = (640, 480)
_SKY_LINE = 64


def pit_photo(view, random, strata, depth, water, caption, stamp_text, landscape, exif, turned=False, limit=24_500):
    """`strata`: (from, to, (red, green, blue), gravel share, roots?) in metres from the top; gives JPEG bytes.

    `turned`: the phone was held upright, so that the pixels lie on their side and the orientation mark says so."""
    size = (SIZE[1], SIZE[0]) if turned else SIZE
    draw = {"wall": _wall, "panorama": _panorama, "spoil": _spoil}[view]
    picture = draw(random, size, strata, depth, water, caption, landscape)
    letter(picture, (16, size[1] - 28), stamp_text, (255, 168, 60))
    picture = picture.filter(ImageFilter.GaussianBlur(0.5))
    if turned:
        picture = picture.transpose(Image.ROTATE_90)
    return jpeg(picture, exif, limit)


def _wall(random, size, strata, depth, water, caption, landscape):
    width, height = size
    picture = Image.new("RGB", size, landscape["ground"])
    draw = ImageDraw.Draw(picture)
    bottom = height - 26
    scale = (bottom - _SKY_LINE) / depth
    for start, _, colour, _, _ in strata:
        edge = _wavy(random, width, _SKY_LINE + start * scale, 2 if start == 0 else 7)
        draw.polygon(edge + [(width, height), (0, height)], fill=colour)
    if water is not None:
        level = _SKY_LINE + water * scale
        wet = _wavy(random, width, level, 3)
        draw.polygon(wet + [(width, height), (0, height)], fill=(86, 88, 84))
        draw.line(wet, fill=(150, 170, 182), width=3)
    picture = roughen(picture, random)
    draw = ImageDraw.Draw(picture)
    for start, end, colour, gravel, roots in strata:
        top, floor = _SKY_LINE + start * scale, _SKY_LINE + end * scale
        _stones(draw, random, width, top + 4, floor - 3, colour, gravel)
        if roots:
            _roots(draw, random, width, _SKY_LINE, min(floor, _SKY_LINE + 0.35 * scale))
    _marks_of_the_bucket(draw, random, width, height)
    picture = _darken_corners(picture)
    _rod(picture, round(width * 0.78), _SKY_LINE - 8, depth, scale, bottom)
    board(picture, (18, 14), caption)
    return picture


def _panorama(random, size, strata, depth, water, caption, landscape):
    width, height = size
    horizon = round(height * 0.36)
    picture = Image.new("RGB", size, landscape["sky"])
    draw = ImageDraw.Draw(picture)
    for distance, tone in ((0, 0.95), (18, 0.8)):
        ridge = _ridge(random, width, horizon - landscape["relief"] // 2 + distance, landscape["relief"] - distance)
        draw.polygon(ridge + [(width, height), (0, height)], fill=shade(landscape["hills"], tone))
    draw.rectangle((0, horizon + 14, width, height), fill=landscape["ground"])
    draw.polygon([(width * 0.56, horizon + 14), (width * 0.6, horizon + 14), (width * 1.0, height), (width * 0.52, height)],
                 fill=landscape["road"])
    heap = strata[-1][2]
    _heap(draw, random, round(width * 0.16), round(height * 0.56), width * 0.17, height * 0.13, heap)
    x, y, half = width * 0.33, height * 0.7, width * 0.13
    hole = [(x - half, y - 22), (x + half, y - 30), (x + half + 26, y + 34), (x - half - 20, y + 44)]
    draw.polygon(hole, fill=shade(strata[0][2], 0.35))
    draw.polygon([hole[0], hole[1], (x + half + 6, y - 4), (x - half - 4, y + 4)], fill=shade(strata[0][2], 0.85))
    picture = roughen(picture, random, ((90, 0.14), (9, 0.2), (3, 0.26)))
    draw = ImageDraw.Draw(picture)
    _tape(draw, hole)
    board(picture, (round(width * 0.5), round(height * 0.68)), caption)
    return picture


def _spoil(random, size, strata, depth, water, caption, landscape):
    width, height = size
    picture = Image.new("RGB", size, shade(landscape["ground"], 0.72))
    draw = ImageDraw.Draw(picture)
    for index, (_, _, colour, _, _) in enumerate(strata[-3:]):
        _heap(draw, random, round(width * (0.24 + 0.26 * index)), round(height * 0.66), width * 0.24, height * 0.4, colour)
    picture = roughen(picture, random)
    draw = ImageDraw.Draw(picture)
    for index, (_, _, colour, gravel, _) in enumerate(strata[-3:]):
        middle = width * (0.24 + 0.26 * index)
        _stones(draw, random, width, height * 0.4, height * 0.65, colour, gravel, middle - width * 0.1, middle + width * 0.1)
    draw.rectangle((40, height - 60, 240, height - 50), fill=(230, 206, 60))
    for tick in range(0, 201, 20):
        draw.line((40 + tick, height - 60, 40 + tick, height - 50), fill=(30, 30, 30), width=2)
    board(picture, (18, 14), caption)
    return _darken_corners(picture)


def _wavy(random, width, level, height):
    phases = [random.uniform(0, 6.28) for _ in range(3)]
    return [(x, level + height * (0.6 * math.sin(x / 90 + phases[0]) + 0.3 * math.sin(x / 31 + phases[1])
                                  + 0.2 * math.sin(x / 11 + phases[2]))) for x in range(0, width + 8, 8)]


def _ridge(random, width, level, relief):
    phases = [random.uniform(0, 6.28) for _ in range(3)]
    return [(x, level - relief * (0.4 * math.sin(x / 140 + phases[0]) + 0.25 * math.sin(x / 60 + phases[1])
                                  + 0.08 * math.sin(x / 19 + phases[2]))) for x in range(0, width + 10, 10)]


def _stones(draw, random, width, top, floor, colour, gravel, left=0, right=None):
    """Rounded stones, the more and the larger the more gravel there is."""
    if floor - top < 8:
        return
    right = width if right is None else right
    count = round(gravel * (floor - top) * (right - left) / 520)
    for _ in range(count):
        x, y = random.uniform(left, right), random.uniform(top, floor)
        a = random.uniform(2, 4 + 11 * gravel)
        b = a * random.uniform(0.55, 0.9)
        tone = shade(random.choice((colour, (150, 146, 140), (122, 116, 108))), random.uniform(0.75, 1.2))
        draw.ellipse((x - a + 1, y - b + 2, x + a + 1, y + b + 2), fill=shade(tone, 0.5))
        draw.ellipse((x - a, y - b, x + a, y + b), fill=tone)
        draw.arc((x - a, y - b, x + a, y + b), 190, 300, fill=shade(tone, 1.35))


def _roots(draw, random, width, top, floor):
    for _ in range(26):
        x, y = random.uniform(0, width), top + random.uniform(0, 6)
        points = [(x, y)]
        while y < floor and len(points) < 12:
            x, y = x + random.uniform(-7, 7), y + random.uniform(3, 9)
            points.append((x, y))
        draw.line(points, fill=(72, 52, 34), width=random.choice((1, 1, 2)))


def _marks_of_the_bucket(draw, random, width, height):
    for _ in range(5):
        x = random.uniform(0, width)
        draw.line((x, _SKY_LINE + random.uniform(20, 80), x + random.uniform(-16, 16), height), fill=(70, 58, 46), width=1)


def _darken_corners(picture):
    light = Image.new("L", (9, 9), 255)
    for x in range(9):
        for y in range(9):
            light.putpixel((x, y), max(120, 255 - 7 * ((x - 4) ** 2 + max(0, y - 4) ** 2)))
    light = light.resize(picture.size, Image.BICUBIC)
    return Image.composite(picture, Image.new("RGB", picture.size, (20, 16, 12)), light)


def _rod(picture, x, top, depth, scale, bottom):
    """A levelling rod: red and white every tenth of a metre, figures every half."""
    draw = ImageDraw.Draw(picture)
    zero = top + 8
    steps = int(depth * 10)
    draw.rectangle((x - 2, top, x + 16, bottom), fill=(30, 26, 24))
    for step in range(steps):
        y = zero + step * scale / 10
        draw.rectangle((x, y, x + 14, y + scale / 10), fill=(206, 40, 36) if step % 2 else (240, 238, 230))
    for half in range(int(depth * 2) + 1):
        letter(picture, (x + 22, round(zero + half * scale / 2) - 10), f"{half / 2:.1f}", (250, 240, 120))


def _heap(draw, random, x, y, half, height, colour):
    points = [(x - half, y)]
    for step in range(1, 12):
        share = step / 12
        rise = height * math.sin(math.pi * share) ** 1.4
        points.append((x - half + 2 * half * share, y - rise * random.uniform(0.9, 1.05)))
    points.append((x + half, y))
    draw.polygon(points, fill=colour)
    draw.polygon(points[6:] + [(x, y)], fill=shade(colour, 0.78))


def _tape(draw, corners):
    for x, y in corners:
        draw.line((x, y, x, y - 46), fill=(60, 60, 60), width=3)
    raised = [(x, y - 40) for x, y in corners]
    draw.line(raised + raised[:1], fill=(236, 196, 30), width=4)
