import Model
import Testing
import Workbench

@testable import Blocks
@testable import Canvas
@testable import Drawing

@Suite struct ExcavationLogTests {
    static let columns: [ExcavationLog.Column] = [
        .init("N.º", width: 24, isCentred: true, isBold: true), .init("Profundidad (m)", width: 44, isCentred: true), .init("Descripción"),
        .init("SUCS", width: 36, isCentred: true, isBold: true), .init("AASHTO", width: 40, isCentred: true), .init("Límite líquido (%)", width: 18, isCentred: true),
    ]

    static var words: ExcavationLog.Words {
        var words = ExcavationLog.Words()
        (words.depth, words.symbol, words.elevation) = ("Prof. (m)", "Símbolo", "Cota (m)")
        (words.water, words.continued, words.nothing, words.end) = ("N.F. 2.10 m", "(continúa)", "Sin estratos registrados", "Fin de la excavación")
        return words
    }

    static func log(_ bounds: [Double], text: (Int) -> String) -> ExcavationLog {
        let strata = zip(bounds, bounds.dropFirst()).enumerated().map { index, bound in
            Stratum(top: bound.0, bottom: bound.1, symbol: SoilSymbol.vocabulary[(index * 7) % 26])
        }
        let cells = zip(bounds, bounds.dropFirst()).enumerated().map { index, bound in
            let depths = "\(DrawingStyle().number(bound.0, decimals: 2)) – \(DrawingStyle().number(bound.1, decimals: 2))"
            return ["E-\(index + 1)", depths, text(index), strata[index].symbol, "A-2-4(0)", "\(20 + index)"]
        }
        var log = ExcavationLog(strata: strata, cells: cells, columns: columns, depth: bounds.last ?? 1.5, words: words)
        log.tracks = [
            .init(label: "Muestra", marks: [.init(top: log.depth * 0.1, bottom: log.depth * 0.3, label: "M-1 Mab"), .init(top: log.depth * 0.3, bottom: log.depth * 0.32, label: "M-2 Mit")]),
            .init(label: "Ensayos de campo", marks: (0..<7).map { .init(top: log.depth * 0.1 * Double($0), bottom: log.depth * 0.1 * Double($0 + 1), label: "DPL 1\($0)") }),
        ]
        log.elevation = 3_996.34
        log.water = log.depth * 0.7
        return log
    }

    /// Draws every page. Expects that all texts are there, inside their boxes and apart from each
    /// other.
    static func check(_ log: ExcavationLog, width: Double = 540, height: Double = 560, location: SourceLocation = #_sourceLocation) throws -> [ExcavationLog.Page] {
        let pages = log.pages(width: width, height: height, typesetter: try Typesetter())
        var drawn: [String: Int] = [:]
        for page in pages {
            #expect(page.height <= height + 0.01, sourceLocation: location)
            let found = try problems(width: width + 20, height: height + 20) { page.draw(on: $0, in: $1) }
            #expect(found.outside.isEmpty && found.collisions.isEmpty, "\(found.outside) \(found.collisions)", sourceLocation: location)
            for text in found.texts { drawn[text, default: 0] += 1 }
        }
        for cells in log.cells {
            for cell in cells where !cell.isEmpty { #expect(drawn[cell] != nil, "\(cell.prefix(40)) is nowhere", sourceLocation: location) }
        }
        return pages
    }

    @Test(arguments: 0..<60) func textsNeverOverflowOrCollide(seed: Int) throws {
        var numbers = SeededNumbers(seed)
        let depth = [0.3, 1.5, 3, 8, 30].randomElement(using: &numbers)!
        let count = Int.random(in: 1...40, using: &numbers)
        let inner = (1..<count).map { _ in Double.random(in: 0...depth, using: &numbers) }.sorted()
        let texts = (0..<count).map { _ in Words.text(&numbers) }
        var log = Self.log([0] + inner + [depth]) { texts[$0] }
        log.scale = [.round, .fitted, .ratio(10), .ratio(25), .ratio(50)].randomElement(using: &numbers)!
        if case .ratio(10) = log.scale, depth > 8 { log.scale = .ratio(100) }
        let pages = try Self.check(log, height: [300, 560, 700].randomElement(using: &numbers)!)
        // The strip continues from page to page without a gap.
        let ranges = pages.compactMap(\.range)
        #expect(ranges.first?.lowerBound == 0 && abs((ranges.last?.upperBound ?? 0) - depth) < 1e-6)
        for (one, next) in zip(ranges, ranges.dropFirst()) { #expect(abs(one.upperBound - next.lowerBound) < 1e-9) }
    }

    @Test func nothingLoggedIsSaid() throws {
        let log = Self.log([]) { _ in "" }
        let pages = try Self.check(log)
        #expect(pages.count == 1)
        let found = try problems(width: 560, height: 580) { pages[0].draw(on: $0, in: $1) }
        #expect(found.texts.contains("Sin estratos registrados"))
    }

    @Test func scaleIsKept() throws {
        var log = Self.log([0, 1, 2.5, 12]) { _ in "arena" }
        log.scale = .ratio(20)
        let pages = log.pages(width: 540, height: 560, typesetter: try Typesetter())
        #expect(pages.count == 4 && pages.allSatisfy { abs($0.ratio - 20) < 1e-9 })
        log.scale = .round
        let one = log.pages(width: 540, height: 560, typesetter: try Typesetter())
        #expect(one.count == 1 && RoundSteps.depthRatios.contains(one[0].ratio.rounded()))
    }

    @Test func longTextsShrinkAndThenGoOn() throws {
        let few = Self.log([0, 1, 2, 3]) { _ in Words.description }
        let many = Self.log((0...9).map { Double($0) / 3 }) { _ in String(repeating: Words.description, count: 3) }
        let vast = Self.log(Array(stride(from: 0, through: 3, by: 0.25))) { _ in String(repeating: Words.description, count: 20) }
        let typesetter = try Typesetter()
        let size = { (log: ExcavationLog) in log.pages(width: 540, height: 560, typesetter: typesetter) }
        #expect(size(few)[0].textSize == 7.5 && size(few).count == 1)
        #expect(size(many)[0].textSize < 7.5 && size(many).count == 1)
        // Every page that has room for a row has its stratum.
        #expect(size(vast).count > 1 && size(vast).allSatisfy { $0.range != nil })
        let endless = Self.log([0, 3]) { _ in String(repeating: Words.description, count: 80) }
        #expect(size(endless).count > 1 && size(endless).last?.range == nil)
    }

    @Test(arguments: [[0, .nan, 1, 2], [2, 1, 0.5, 3], [0, 1e9, 2], [-1, 0, 1], [0, 0, 0], [.infinity, 1, 2]] as [[Double]])
    func wrongDepthsStillGiveAPage(bounds: [Double]) throws {
        for scale in [ExcavationLog.Scale.round, .fitted, .ratio(10)] {
            var log = Self.log(bounds) { "Estrato \($0)" }
            log.scale = scale
            #expect(try Self.check(log).count <= 45)
        }
    }

    /// A stratum of 5 cm is a hair's breadth on paper. Its row stands beside it all the same: a page
    /// ends where it has no more room for rows.
    @Test func fortyThinStrataHaveTheirStripOnEveryPage() throws {
        var log = Self.log((0...40).map { Double($0) * 0.05 }) { _ in "Arena limosa, densa, con gravilla aislada y raíces finas." }
        log.scale = .ratio(25)
        let pages = try Self.check(log, height: 400)
        #expect(pages.count > 1)
        for page in pages {
            let range = try #require(page.range)
            for row in page.content.rows {
                guard let stratum = row.stratum else { continue }
                #expect(log.strata[stratum].top >= range.lowerBound - 1e-9 && log.strata[stratum].top <= range.upperBound + 1e-9)
            }
        }
        #expect(pages.flatMap { $0.content.rows.compactMap(\.stratum) } == Array(0..<40))
    }

    @Test func aPitOfThirtyMetresEndsWhereItEnds() throws {
        var log = Self.log([0, 4, 11, 23, 30]) { _ in "Grava mal gradada." }
        log.scale = .ratio(25)
        let pages = log.pages(width: 540, height: 300, following: 640, typesetter: try Typesetter())
        #expect(pages.allSatisfy { $0.range.map { $0.upperBound > $0.lowerBound } ?? false })
        #expect(pages[0].height <= 300 && pages[1].height > 600 && pages.last.map { $0.height < 640 } == true)
        #expect(try pages.last.map { page in try problems(width: 560, height: 680) { page.draw(on: $0, in: $1) }.texts.contains("Fin de la excavación") } == true)
    }

    @Test(arguments: [0.0, 0.02, 1.5]) func waterStaysBelowTheHeading(depth: Double) throws {
        var log = Self.log([0, 1.5]) { _ in "arena" }
        log.water = depth
        let page = log.pages(width: 540, height: 300, typesetter: try Typesetter())[0]
        let recorder = TextRecorder()
        _ = try Picture.png(width: 560, height: 320, scale: 0.2, recorder: recorder) { page.draw(on: $0, in: Box(x: 10, y: 10, width: 540, height: 300)) }
        let label = try #require(recorder.entries.first { $0.text == log.words.water })
        #expect(label.box.y >= 10 + page.headerHeight && label.box.bottom <= 10 + page.height)
        // The mark stands on the line, with its point down: the strip begins below the heading.
        #expect(page.content.air >= 8)
    }

    /// The description has 38 to 40 per cent of the page, whether there is much beside it or
    /// little.
    @Test(arguments: [(2, 6), (0, 1), (2, 3), (1, 4)]) func theDescriptionHasItsPart(tracks: Int, columns: Int) throws {
        var log = Self.log([0, 1, 3]) { _ in Words.description }
        log.tracks = Array(log.tracks.prefix(tracks))
        log.columns = [.init("Estrato", width: 20, isCentred: true), .init("Descripción")] + (1..<columns).map { _ in .init("Gran. (%)", width: 16, isCentred: true) }
        log.cells = log.strata.map { _ in ["1\n0.00–0.50", Words.description] + (1..<columns).map { _ in "LL 29.0" } }
        if tracks == 0 { log.elevation = nil }
        let measures = LogMeasures(log, width: 527, try Typesetter())
        let share = measures.columns[1] / 527
        #expect(columns == 1 ? share >= 0.38 : (0.379...0.401).contains(share), "\(share)")
        #expect(abs(measures.rowsStart + measures.rowsWidth - 527) < 0.01)
    }

    @Test(arguments: 0..<20) func noLetterIsSmallerThanSixPoints(seed: Int) throws {
        var numbers = SeededNumbers(seed)
        let texts = (0..<20).map { _ in Words.text(&numbers) }
        var log = Self.log((0...20).map { Double($0) * 0.15 }) { texts[$0] }
        log.tracks[0].marks = (0..<70).map { .init(top: 0, bottom: 0.1, label: "M-\($0)") }
        let recorder = TextRecorder()
        for page in log.pages(width: 540, height: 500, typesetter: try Typesetter()) {
            _ = try Picture.png(width: 560, height: 520, scale: 0.2, recorder: recorder) { page.draw(on: $0, in: Box(x: 10, y: 10, width: 540, height: 500)) }
        }
        #expect(recorder.entries.allSatisfy { $0.size >= 6 })
        #expect(recorder.entries.contains { $0.text.hasPrefix("+") }, "marks without room are counted")
    }

    /// The label of a mark at the surface stands below it; one of marks below the pit's end has their
    /// depths, which no scale beside it says.
    @Test func labelsStandWithinTheGround() throws {
        var log = Self.log([0, 1, 2.3]) { _ in "arena" }
        log.tracks = [.init(label: "Ensayos", marks: [.init(top: 0, bottom: 0, label: "Dens. 1.910 94.0\u{a0}%"), .init(top: 2.3, bottom: 2.8, label: "DPL 7, 13, 18, 19, 20")])]
        let page = try Self.check(log)[0]
        let recorder = TextRecorder()
        _ = try Picture.png(width: 560, height: 580, scale: 0.2, recorder: recorder) { page.draw(on: $0, in: Box(x: 10, y: 10, width: 540, height: 560)) }
        let first = try #require(recorder.entries.first { $0.text.hasPrefix("Dens. 1.910") })
        #expect(first.box.y >= 10 + page.headerHeight + page.content.air - 0.01)
        #expect(recorder.entries.contains { $0.text == "2.30–2.80 DPL 7, 13, 18, 19, 20" })
    }

    @Test func elevationsStandBesideDepths() throws {
        let log = Self.log([0, 2]) { _ in "arena" }
        let found = try problems(width: 560, height: 320) { canvas, _ in
            log.pages(width: 540, height: 300, typesetter: canvas.typesetter)[0].draw(on: canvas, in: Box(x: 10, y: 10, width: 540, height: 300))
        }
        #expect(found.texts.contains("3996.34") && found.texts.contains("3995.34"))
    }

    @Test func pagesAreAsApproved() throws {
        let thin = Self.log([0, 0.05, 0.1, 0.15, 0.2, 0.97, 1.73, 2.5]) { _ in Words.description }
        try Golden.expect("log-thin-strata", width: 560, height: 500) { canvas in
            thin.pages(width: 540, height: 480, typesetter: canvas.typesetter)[0].draw(on: canvas, in: Box(x: 10, y: 10, width: 540, height: 480))
        }
        let forty = Self.log((0...40).map { Double($0) * 0.75 }) { _ in "Arena limosa, densa." }
        try Golden.expect("log-forty-strata", width: 560, height: 740) { canvas in
            forty.pages(width: 540, height: 720, typesetter: canvas.typesetter)[0].draw(on: canvas, in: Box(x: 10, y: 10, width: 540, height: 720))
        }
        let none = Self.log([]) { _ in "" }
        try Golden.expect("log-nothing", width: 560, height: 220) { canvas in
            none.pages(width: 540, height: 200, typesetter: canvas.typesetter)[0].draw(on: canvas, in: Box(x: 10, y: 10, width: 540, height: 200))
        }
    }

    @Test(arguments: 0..<20) func stripsKeepTheirLabelsApart(seed: Int) throws {
        var numbers = SeededNumbers(seed)
        let depth = Double.random(in: 0.3...30, using: &numbers)
        let count = Int.random(in: 0...40, using: &numbers)
        let bounds = [0] + (1..<max(2, count)).map { _ in Double.random(in: 0...depth, using: &numbers) }.sorted() + [depth]
        let strata = count == 0 ? [] : zip(bounds, bounds.dropFirst()).map { Stratum(top: $0, bottom: $1, symbol: "CL/ML") }
        let strip = StripDrawing(
            strata: strata, samples: strata.map { .init(top: $0.top, bottom: $0.bottom, label: Words.text(&numbers)) }, depth: depth, water: depth * 0.9, waterLabel: "N.F. 12.34 m",
            emptyLabel: "Sin estratos")
        let found = try problems(width: 180, height: 500) { strip.draw(on: $0, in: $1) }
        #expect(found.outside.isEmpty && found.collisions.isEmpty, "\(found)")
    }
}
