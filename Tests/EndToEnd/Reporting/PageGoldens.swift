import Foundation
import Testing
import Workbench

/// The approved pages of documents: pictures of pages, and the words of every document with their
/// places.
///
/// Pictures are compared in small tiles, so that a fault in one place counts even if the rest of
/// the page is right. They show lines, fills, photos, and texts that are covered or missing. One
/// changed digit differs less than two drawing programs do. So the words are compared too: they
/// must be equal, and their places may differ by a point.
///
/// A table that goes on for thirty pages looks the same on each. A page that looks like an earlier one
/// of its document has no picture, and must look like one that has. There the tiles are a centimetre
/// wide, so that the words of a cell may differ, and a missing drawing may not. Each of its words must
/// be seen: it differs from what is around it.
struct PageGoldens {
    static let folder = ProjectFolder.root.appendingPathComponent("Tests/EndToEnd/Reporting/Goldens").path
    static var isUpdating: Bool { ProcessInfo.processInfo.environment["FICHERO_UPDATE_GOLDENS"] == "1" }

    /// The folder of the pictures and of the lists of words.
    var folder = PageGoldens.folder

    /// Every difference between a PDF and the approved pages, one line each. `change` is Python
    /// code that changes what was drawn before it is compared. In it, `pages` are the pictures and
    /// `words` are the words.
    func differences(of pdf: String, name: String, change: String = "") throws -> [String] {
        try Self.run("compare", pdf: pdf, stem: folder + "/" + name, change: change)
    }

    /// Stores what is drawn as approved. A page that still fits is not written again, because edges
    /// differ a little between machines.
    func update(from pdf: String, name: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(try Self.run("update", pdf: pdf, stem: folder + "/" + name).isEmpty)
    }

    private static func run(_ mode: String, pdf: String, stem: String, change: String = "") throws -> [String] {
        let scratch = try TemporaryFolder()
        // The resolution is twice that of the goldens. So an edge between two pixels gets its right
        // weight.
        let drawn = try ProgramRun.program("/usr/bin/pdftoppm", ["-r", "120", "-gray", pdf, scratch.file("page")])
        try #require(drawn.status == 0 && drawn.error.isEmpty, "\(drawn.error)")
        let read = try ProgramRun.program("/usr/bin/pdftotext", ["-bbox", pdf, scratch.file("words.html")])
        try #require(read.status == 0 && read.error.isEmpty, "\(read.error)")
        let compared = try Reading.python(script, mode, stem, scratch.path, change)
        try #require(compared.status == 0, "\(compared.error)")
        return compared.output.split(separator: "\n").map(String.init)
    }

    /// A tile has 6 pixels, which is 2.5 mm. The tolerance is 12 of 255. A picture has only 32
    /// greys, which explains 4 of them; the rest is for edges.
    private static let script = """
        import glob, html, os, re, sys
        from PIL import Image, ImageChops
        mode, stem, folder, change = sys.argv[1:]
        TILE, TOLERANCE, POINTS = 6, 12, 1.0
        # Drawing programs differ a little, so what was like another page when it was approved has some room.
        COARSE_TILE, COARSE_TOLERANCE = 24, 40 if mode == 'update' else 48
        GREYS = [round(round(value * 31 / 255) * 255 / 31) for value in range(256)]

        def number(path):
            return int(re.search(r'-(\\d+)\\.\\w+$', path).group(1))

        def load_words(path):
            with open(path, encoding='utf-8') as file:
                count = int(file.readline().split()[1])
                return [(int(page), float(x), float(y), word) for page, x, y, word in (line.rstrip('\\n').split(' ', 3) for line in file)], count

        pages = {number(path): Image.open(path).convert('L').reduce(2) for path in glob.glob(folder + '/page-*.pgm')}
        approved = {number(path): path for path in glob.glob(glob.escape(stem) + '-*.png') if re.fullmatch(r'-\\d+\\.png', path[len(stem):])}
        words, boxes, page = [], [], 0
        for line in open(folder + '/words.html', encoding='utf-8'):
            page += '<page ' in line
            word = re.search(r'<word xMin="(.*)" yMin="(.*)" xMax="(.*)" yMax="(.*)">(.*)</word>', line)
            if not word: continue
            left, top, right, bottom = (float(number) for number in word.groups()[:4])
            text = html.unescape(word[5])
            if re.fullmatch('[0-9a-f]{64}', text):
                # A file's checksum changes with every library that writes it: its place is what counts.
                text = 'checksum'
                pages[page].paste(255, (int(left / 1.2), int(top / 1.2), int(right / 1.2) + 1, int(bottom / 1.2) + 1))
            words.append((page, round(left, 1), round(top, 1), text))
            boxes.append((page, text, (int(left / 1.2), int(top / 1.2), int(right / 1.2) + 1, int(bottom / 1.2) + 1)))
        exec(change)

        def difference(page):
            # The tile that differs most, and its middle in millimetres.
            kept = Image.open(approved[page]).convert('L')
            if kept.size != pages[page].size: return 255, 'its size is %s, not %s pixels' % (pages[page].size, kept.size)
            tiles = ImageChops.difference(kept.reduce(TILE), pages[page].reduce(TILE))
            worst = tiles.getextrema()[1]
            at = tiles.tobytes().index(worst)
            return worst, 'it differs by %d of 255 at %d mm from the left, %d mm from the top' % (
                worst, (at % tiles.width + 0.5) * TILE * 25.4 / 60, (at // tiles.width + 0.5) * TILE * 25.4 / 60)

        def is_like(page, others):
            shape = pages[page].reduce(COARSE_TILE)
            return any(shape.size == other.size and ImageChops.difference(shape, other).getextrema()[1] <= COARSE_TOLERANCE for other in others)

        def is_blank(picture):
            darkest, lightest = picture.getextrema()
            return lightest - darkest < 24

        list_path = stem + '.words.txt'
        known, count = load_words(list_path) if os.path.exists(list_path) else (None, 0)
        if mode == 'update':
            shapes = []
            for page, path in approved.items():
                if page not in pages: os.remove(path)
            for page in sorted(pages):
                if is_like(page, shapes):
                    if page in approved: os.remove(approved[page])
                    continue
                if page not in approved or difference(page)[0] > TOLERANCE:
                    pages[page].point(GREYS).quantize(32, dither=0).save('%s-%02d.png' % (stem, page), optimize=True)
                shapes.append(Image.open('%s-%02d.png' % (stem, page)).convert('L').reduce(COARSE_TILE))
            with open(list_path, 'w', encoding='utf-8') as file:
                file.write('pages %d\\n' % len(pages))
                file.writelines('%d %.1f %.1f %s\\n' % word for word in words)
            sys.exit()
        if len(pages) != count: print('%d pages, approved are %d' % (len(pages), count))
        shapes = [Image.open(path).convert('L').reduce(COARSE_TILE) for path in approved.values()]
        for page in sorted(pages):
            if page not in approved:
                if page > count: continue
                if not is_like(page, shapes): print('page %d: it differs from every page that has a picture' % page)
                for text in (text for at, text, box in boxes if at == page and len(text) > 2 and is_blank(pages[page].crop(box))):
                    print('page %d: the word «%s» is not seen' % (page, text))
                    break
                continue
            worst, text = difference(page)
            if worst > TOLERANCE: print('page %d: %s' % (page, text))
        if known is None: print('no approved words')
        else:
            if len(words) != len(known): print('%d words, approved are %d' % (len(words), len(known)))
            for now, then in zip(words, known):
                if now[0] != then[0] or now[3] != then[3]:
                    print('page %d: the word «%s», approved is «%s» on page %d' % (now[0], now[3], then[3], then[0]))
                    break
                if abs(now[1] - then[1]) > POINTS or abs(now[2] - then[2]) > POINTS:
                    print('page %d: the word «%s» stands at %.1f %.1f, approved is %.1f %.1f points' % (now[0], now[3], *now[1:3], *then[1:3]))
                    break
        """
}
