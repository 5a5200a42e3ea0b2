"""The look of a firm for documents: brand.yaml and two plain logos."""
from PIL import Image, ImageDraw, ImageFont

BOLD = "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf"


def logo(path, text, colour, shape):
    """Drawn at four times the size, so that its edges are smooth."""
    picture = Image.new("RGB", (1440, 480), "white")
    draw = ImageDraw.Draw(picture)
    if shape == "strata":
        for index, grey in enumerate((colour, "#C8963C", "#8FA9BF")):
            draw.polygon([(40, 90 + 110 * index), (360, 50 + 110 * index), (360, 140 + 110 * index), (40, 180 + 110 * index)], fill=grey)
    else:
        draw.arc([60, 80, 340, 400], 180, 360, fill=colour, width=44)
        draw.rectangle([40, 260, 360, 300], fill=colour)
    draw.text((420, 240), text, fill=colour, font=ImageFont.truetype(BOLD, 190 if len(text) < 8 else 120), anchor="lm")
    picture.resize((360, 120), Image.LANCZOS).save(path, optimize=True)


def build(folder):
    folder.mkdir(parents=True, exist_ok=True)
    logo(folder / "logo.png", "GeoÑan", "#1F4E5F", "strata")
    logo(folder / "client.png", "Vial Alto Piura", "#7A3E1D", "bridge")
    (folder / "brand.yaml").write_text("""\
# The firm's look on documents: fichero report … --brand Samples/ingeplus/brand/brand.yaml
name: GeoÑan Ingeniería y Geotecnia S.A.C.
contact: Jr. Los Sauces 410, Piura · +51 73 000 000 · geonan.example.pe
logo: logo.png
clientLogo: client.png
primary: '#1F4E5F'
accent: '#E3EDF0'
font: Liberation Sans
""", encoding="utf-8")
