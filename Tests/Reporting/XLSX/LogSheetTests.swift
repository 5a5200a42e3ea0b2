import Foundation
import Model
import Testing
import Workbench

@testable import Blocks
@testable import Reporting

/// The log of a pit on a sheet. The rows are as high as the layers are thick, and a strip stands
/// beside them.
@Suite struct LogSheetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ log: LogContent) throws -> ReadReport {
        try folder.write([ReportSamples.section("P", [log])], head: ReportSamples.head(draft: false))
    }

    private static func log(_ depths: [(Double, Double)], text: String = "Arena", total: Double? = nil) -> LogContent {
        LogContent(
            layers: depths.enumerated().map { index, depth in
                LogContent.Layer(
                    stratum: Stratum(top: depth.0, bottom: depth.1, symbol: "SM"), number: String(index + 1), description: text, cells: [])
            }, columns: [], total: total, water: nil, scales: [20, 25, 50], empty: "Sin estratos.")
    }

    /// The rows beside the strips and their heights. They come from the anchors of the pictures
    /// after the two logos. Each page has one strip.
    private func strip(_ book: ReadReport) throws -> (rows: [Int], heights: [Double]) {
        let said = try book("""
            [(r, s('P').row_dimensions[r + 1].height) for i in s('P')._images[2:] for a in [i.anchor] \
            for r in range(a._from.row, a.to.row + (a.to.rowOff > 12700))]
            """)
        let numbers = said.filter { !"()[] ".contains($0) }.split(separator: ",").compactMap { Double($0) }
        try #require(numbers.count > 1 && numbers.count % 2 == 0, "\(said)")
        return (stride(from: 0, to: numbers.count, by: 2).map { Int(numbers[$0]) }, stride(from: 1, to: numbers.count, by: 2).map { numbers[$0] })
    }

    @Test func rowsAreAsHighAsLayersAreThick() throws {
        var log = Self.log([(0, 0.5), (0.5, 1.5), (1.5, 3)])
        log.scales = [20]
        let book = try write(log)
        let strip = try strip(book)
        #expect(strip.heights.count == 3)
        // At 1:20, a metre is 141.7 points high, in steps of three quarters of a point.
        for (height, metres) in zip(strip.heights, [0.5, 1, 1.5]) { #expect(abs(height - metres * 141.73) <= 0.8, "\(strip)") }
        // The strip ends with the last row. It may reach the next row by at most a pixel.
        #expect(try book("(lambda a: a.to.rowOff in (0, 1) or abs(a.to.rowOff / 12700 - s('P').row_dimensions[a.to.row + 1].height) < 0.8)(s('P')._images[-1].anchor)") == "True")
        #expect(try book("s('P')._images[-1].anchor.editAs") == "None", "grows with its cells")
        #expect(try book("[[s('P').cell(r + 1, c).value for c in (1, 2)] for r in range(\(strip.rows[0]), \(strip.rows[2] + 1))]") == "[[0, 0.5], [0.5, 1.5], [1.5, 3]]")
    }

    @Test func gapsHaveRowsOfTheirOwn() throws {
        let book = try write(Self.log([(0.1, 0.5), (0.8, 1)], total: 1.5))
        let texts = try book("[c.value for r in s('P') for c in r if c.value == 'Arena' or 'sin registro' in str(c.value)]")
        #expect(texts == "['0.00–0.10 m: sin registro', 'Arena', '0.50–0.80 m: sin registro', 'Arena', '1.00–1.50 m: sin registro']")
        #expect(try strip(book).heights.count == 5)
    }

    @Test func overlapsStay() throws {
        let book = try write(Self.log([(0, 1), (0.8, 1.2)]))
        #expect(try strip(book).heights.count == 2)
        #expect(try book("[c.value for c in s('P')[\(try strip(book).rows[0] + 2)]][:2]") == "[0.8, 1.2]")
    }

    @Test(arguments: [1, 2, 7, 40]) func anyNumberOfLayers(_ count: Int) throws {
        let log = ReportSamples.log(count)
        let book = try write(log)
        let strip = try strip(book)
        #expect(strip.heights.count == log.marked(ReportSamples.head().words).layers.count)
        #expect(strip.heights.allSatisfy { $0 >= 20 && $0 <= 409 })
        #expect(try book("overlaps()") == "[]")
        #expect(Set(strip.rows).count == strip.rows.count)
        // Every page has its own header and strip, so no printer cuts a strip. The table below may begin one more page.
        let pages = try #require(Int(try book("len(s('P')._images) - 2")))
        #expect(try book("sum(c.value == 'Descripción' for r in s('P') for c in r)") == "\(pages)")
        #expect(try book("0 <= len(s('P').row_breaks.brk) - \(pages - 1) <= 1") == "True")
        #expect((pages > 1) == (count == 40))
        #expect(try book("len({c.value for r in s('P') for c in r if str(c.value).startswith('E-')})") == "\(count)")
    }

    /// What has no room beside the description is told again by number and depth in tables below; nothing is lost, no
    /// heading is broken, and the paper has its own size.
    @Test func columnsWithoutRoomStandBelow() throws {
        var log = ReportSamples.log(4)
        let labels = (1...12).map { "Columna\($0)" }
        log.columns = labels.map { LogContent.Column(label: $0, isNumeric: true, width: nil) }
        for index in log.layers.indices {
            log.layers[index].cells = labels.indices.map { ReportCell(.number(Double(100 * index + $0) + 0.5, decimals: 1), text: "100,5") }
        }
        let fit = TextFit(font: "Arial")
        let plan = SheetPlan(ReportPaper(), [log], fit: fit)
        let columns = LogColumns(log, usable: plan.usable.width, fit: fit)
        #expect(plan.scale == 1 && !columns.below.isEmpty && columns.kinds.contains(.further(0)))
        #expect(Set(columns.kinds + columns.below).count == columns.kinds.count + columns.below.count)
        let book = try write(log)
        #expect(try book("sorted(c.value for r in s('P') for c in r if str(c.value).startswith('Columna')) == sorted(\(labels))") == "True")
        #expect(try book("sum(isinstance(c.value, float) and c.value % 1 == 0.5 and c.value < 412 for r in s('P') for c in r)") == "48")
        #expect(try book("overlaps()") == "[]")
    }

    @Test func noLayersAreSaid() throws {
        let book = try write(Self.log([]))
        #expect(try book("[c.value for r in s('P') for c in r if c.value][-1], len(s('P')._images)") == "('Sin estratos.', 2)")
    }

    @Test func aLayerHigherThanExcelsRowsTakesSeveral() throws {
        let words = (0..<700).map { "palabra\($0)" }.joined(separator: " ")
        let book = try write(Self.log([(0, 1), (1, 2)], text: words))
        #expect(try book("overlaps()") == "[]")
        #expect(try book("max(d.height for d in s('P').row_dimensions.values() if d.height) <= 409") == "True")
        // The text is complete, in a cell that covers several rows.
        #expect(try book("[c.value.split()[-1] for r in s('P') for c in r if str(c.value).startswith('palabra0')]") == "['palabra699', 'palabra699']")
        #expect(try book("sorted({m.max_row - m.min_row for m in s('P').merged_cells.ranges})[-1] > 0") == "True")
        let strip = try strip(book)
        #expect(strip.heights.count > 2 && strip.heights.reduce(0, +) > 818)
    }

    @Test func marksStandInTheRowsOfTheirLayersWithTheirDepths() throws {
        let with = try write(ReportSamples.log(3))
        #expect(try with("[c.value for r in s('P') for c in r if str(c.value).startswith('M-')]") == "['M-1 0.10–0.25', 'M-3 1.45–1.60']")
        let without = try folder.write([ReportSamples.section("P", [Self.log([(0, 1)])])], name: "b.xlsx")
        #expect(try without("any(c.value == 'Muestra' for r in s('P') for c in r)") == "False")
    }

    @Test func theScaleIsStatedAndSaysWhatItDoesNotHold() throws {
        let book = try write(Self.log([(0, 0.5), (0.5, 1.5)], total: 1.5))
        #expect(try book("beside(find('P', 'Escala vertical')).value").hasPrefix("1:20;"))
    }

    @Test func theWholeDepthAndTheWaterStandBelow() throws {
        let book = try write(ReportSamples.log(4))
        #expect(try book("[(beside(find('P', l)).value, beside(find('P', l)).number_format) for l in ('Profundidad total', 'Nivel freático')]")
            == "[(3.2, '0.00\" m\"'), (1.8, '0.00\" m\"')]")
    }
}
