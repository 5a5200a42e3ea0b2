package import Canvas

/// The drawing of a soil: the tile and the pale colour of its SUCS symbol, or of a common word used
/// instead (relleno, roca…).
///
/// ASTM D2487 has 26 symbols; D2488 adds borderline pairs with a slash. No free set of tiles
/// exists, so these were designed for Fichero: pebbles for gravel, dots for sand, vertical strokes
/// for silt, diagonals for clay, tufts for organic matter. The tiles also differ in black and
/// white.
package struct SoilSymbol {
    /// The symbols of ASTM D2487, in the order of its tables.
    package static let vocabulary = [
        "GW", "GP", "GM", "GC", "GC-GM", "GW-GM", "GW-GC", "GP-GM", "GP-GC", "SW", "SP", "SM", "SC", "SC-SM", "SW-SM",
        "SW-SC", "SP-SM",
        "SP-SC", "CL", "ML", "CL-ML", "CH", "MH", "OL", "OH", "PT",
    ]
    package static let others = ["RELLENO", "ROCA", "BOLONERÍA", "SUELO ORGÁNICO", "MATERIAL DE CANTERA"]

    /// The symbol as spelled in the vocabulary; an unknown symbol is unchanged.
    package let code: String
    package let isKnown: Bool
    package let colour: Colour
    package let tile: Tile
    /// Tiles are reduced, so that a stratum of a few millimetres on paper still shows its pattern.
    static let scale = 0.8
    static let ink = Colour(red: 0.2, green: 0.17, blue: 0.14)

    package init(_ text: String) {
        let key = Self.key(text)
        let parts = key.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2, let first = Self.soil(parts[0]), let second = Self.soil(parts[1]) {
            // A borderline soil alternates the cells of its two symbols, like a chessboard.
            let colour = first.colour.mixed(with: second.colour, 0.5)
            self.init(
                code: "\(first.code)/\(second.code)", colour: colour, Self.chessboard(first.marks, second.marks),
                cells: 2)
        } else if let soil = Self.soil(key) {
            self.init(code: soil.code, colour: soil.colour, soil.marks, cells: 1)
        } else {
            self.init(code: text, isKnown: false, colour: .white, tile: Self.question)
        }
    }

    private init(code: String, isKnown: Bool, colour: Colour, tile: Tile) {
        self.code = code
        self.isKnown = isKnown
        self.colour = colour
        self.tile = tile
    }

    /// The question marks of an unknown symbol are drawn as a pattern and not written as text, so
    /// that a search of the page does not find them.
    private static var question: Tile {
        let grey = Colour(grey: 0.5)
        return Tile(
            width: 14, height: 14, key: "?",
            layers: [
                Tile.Layer(
                    path: { canvas in
                        canvas.move(to: Point(x: 5, y: 4.9))
                        canvas.arc(centre: Point(x: 7, y: 4.9), radius: 2, from: .pi, to: 2.25 * .pi)
                        canvas.line(to: Point(x: 7, y: 8.2))
                    }, paint: { $0.stroke(grey, width: 0.7, cap: .round) }),
                Tile.Layer(
                    path: { $0.segment(Point(x: 7, y: 10.2), Point(x: 7, y: 10.2)) },
                    paint: { $0.stroke(grey, width: 1.1, cap: .round) }),
            ])
    }

    private init(code: String, colour: Colour, _ marks: [SoilMark], cells: Double) {
        let paper = colour.mixed(with: .white, 0.55)
        let size = SoilPatterns.cell * cells * Self.scale
        let marks = marks.map { $0.scaled(by: Self.scale) }
        // Viewers leave hairlines between the cells that a PDF repeats. A tile with lines that
        // cross its edges has no key, so that its cells are drawn one by one.
        let tile = Tile(
            width: size, height: size, key: marks.allSatisfy { $0.isWithin(size) } ? code : nil,
            layers: SoilMark.layers(marks, ink: Self.ink, paper: paper))
        self.init(code: code, isKnown: true, colour: colour, tile: tile)
    }

    /// One cell of the pattern with its colour: adjacent cells form the whole.
    package var cell: (width: Double, height: Double, draw: (Canvas) -> Void) {
        (tile.width, tile.height, { fill(Box(x: 0, y: 0, width: tile.width, height: tile.height), on: $0) })
    }

    /// Fills a box; tiles of boxes with the same phase continue each other.
    package func fill(_ box: Box, on canvas: Canvas, phase: Point? = nil) {
        canvas.newPath()
        canvas.rectangle(box)
        fillPath(on: canvas, phase: phase ?? Point(x: box.x, y: 0))
    }

    package func fill(_ polygon: [Point], on canvas: Canvas, phase: Point = Point(x: 0, y: 0)) {
        canvas.newPath()
        canvas.polygon(polygon)
        fillPath(on: canvas, phase: phase)
    }

    private func fillPath(on canvas: Canvas, phase: Point) {
        canvas.fill(colour, keepsPath: true)
        canvas.fill(tile, phase: phase)
    }

    // MARK: Composition

    private typealias Soil = (code: String, colour: Colour, marks: [SoilMark])

    /// The symbol in capitals, without accents, and without blanks around dashes and slashes.
    private static func key(_ text: String) -> String {
        let plain: [Character: Character] = [
            "Á": "A", "É": "E", "Í": "I", "Ó": "O", "Ú": "U", "À": "A", "–": "-", "_": " ",
        ]
        let words = text.uppercased().map { plain[$0] ?? $0 }.split(separator: " ", omittingEmptySubsequences: true).map
        { String($0) }
        return words.joined(separator: " ").split(separator: "-", omittingEmptySubsequences: false).map(trimmed).joined(
            separator: "-"
        ).split(separator: "/", omittingEmptySubsequences: false)
            .map(trimmed).joined(separator: "/")
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    private static func soil(_ key: String) -> Soil? {
        switch key {
        case "RELLENO", "RELL", "R", "FILL", "RIPORTO":
            return (others[0], Colour(red: 0.88, green: 0.88, blue: 0.87), SoilPatterns.fill)
        case "ROCA", "RX", "ROCK", "ROCCIA":
            return (others[1], Colour(red: 0.82, green: 0.85, blue: 0.89), SoilPatterns.rock)
        case "BOLONERIA", "BOLONES", "BOLOS", "BOULDERS":
            return (others[2], Colour(red: 0.90, green: 0.86, blue: 0.80), SoilPatterns.boulders)
        case "SUELO ORGANICO", "TIERRA VEGETAL", "SUELO VEGETAL", "TOPSOIL":
            return (others[3], Colour(red: 0.79, green: 0.74, blue: 0.62), SoilPatterns.topsoil)
        case "MATERIAL DE CANTERA", "CANTERA", "AFIRMADO":
            return (others[4], Colour(red: 0.95, green: 0.90, blue: 0.82), SoilPatterns.quarry)
        default: break
        }
        // A dual symbol is accepted in either order: `GM-GC` is GC-GM, `ML-CL` is CL-ML.
        let turned = key.split(separator: "-").reversed().joined(separator: "-")
        guard let code = [key, turned].first(where: vocabulary.contains) else { return nil }
        return (code, colour(code), marks(code))
    }

    private static func colour(_ code: String) -> Colour {
        let hasClay = code.contains("C")
        return switch code.first {
        case "G": hasClay ? Colour(red: 0.96, green: 0.80, blue: 0.66) : Colour(red: 0.98, green: 0.87, blue: 0.70)
        case "S": hasClay ? Colour(red: 0.98, green: 0.90, blue: 0.66) : Colour(red: 1.00, green: 0.96, blue: 0.74)
        case "M": Colour(red: 0.84, green: 0.91, blue: 0.78)
        case "C":
            code == "CL-ML" ? Colour(red: 0.84, green: 0.86, blue: 0.76) : Colour(red: 0.86, green: 0.78, blue: 0.70)
        case "P": Colour(red: 0.72, green: 0.62, blue: 0.50)
        default: Colour(red: 0.80, green: 0.77, blue: 0.74)
        }
    }

    private static func marks(_ code: String) -> [SoilMark] {
        switch code {
        case "CL": return SoilPatterns.clay(.low)
        case "CH": return SoilPatterns.clay(.high)
        case "ML": return SoilPatterns.silt(.low)
        case "MH": return SoilPatterns.silt(.high)
        case "CL-ML": return SoilPatterns.siltyClay
        case "OL": return SoilPatterns.organicSilt
        case "OH": return SoilPatterns.organicClay
        case "PT": return SoilPatterns.peat
        default: break
        }
        let grading: Character? = code.contains("W") ? "W" : code.contains("P") ? "P" : nil
        let (hasSilt, hasClay) = (code.contains("M"), code.contains("C"))
        // With both kinds of fines, silt and clay (GC-GM, SC-SM), each kind has one quarter of the
        // cell.
        let fines = hasSilt && hasClay
            ? [SoilPatterns.silt(.some)[0], SoilPatterns.clay(.some)[1]]
            : hasSilt ? SoilPatterns.silt(.some) : hasClay ? SoilPatterns.clay(.some) : []
        let grains =
            code.hasPrefix("G")
            ? SoilPatterns.gravel(grading, withFines: !fines.isEmpty)
            : SoilPatterns.sand(grading, withFines: !fines.isEmpty)
        return fines + grains
    }

    private static func chessboard(_ first: [SoilMark], _ second: [SoilMark]) -> [SoilMark] {
        let cell = SoilPatterns.cell
        return first + second.map { $0.moved(cell, 0) } + second.map { $0.moved(0, cell) }
            + first.map { $0.moved(cell, cell) }
    }
}
