import Model
import Testing

@testable import Blocks
@testable import Drawing
@testable import Reporting

/// A log says of itself where it is incomplete and where its depths contradict each other.
@Suite struct LogMarksTests {
    private static func log(_ depths: [(Double, Double)], total: Double?) -> LogContent {
        LogContent(
            layers: depths.enumerated().map { index, depth in
                .init(stratum: Stratum(top: depth.0, bottom: depth.1, symbol: "SM"), number: "\(index + 1)", description: "Arena", cells: [])
            }, columns: [], total: total, water: nil, scales: [25], empty: "")
    }

    private let words = ReportSamples.head().words

    @Test func aGapIsNotDrawnClosed() {
        let marked = Self.log([(0, 0.5), (0.6, 1)], total: 1.5).marked(words)
        #expect(marked.layers.map(\.isGap) == [false, true, false, true])
        #expect(marked.layers.filter(\.isGap).map(\.description) == ["0.50–0.60 m: sin registro", "1.00–1.50 m: sin registro"])
        #expect(Self.log([(0.3, 1)], total: 1).marked(words).layers[0].description == "0.00–0.30 m: sin registro")
        #expect(Self.log([(0, 0.5), (0.503, 1)], total: 1).marked(words).layers.count == 2, "less than a centimetre is no gap")
    }

    @Test func whatContradictsIsMarked() {
        let overlap = Self.log([(0, 1), (0.8, 1.2)], total: 1.2).marked(words).layers
        #expect(overlap.map(\.isFaulty) == [false, true])
        #expect(overlap[1].description == "Arena\nSe traslapa con lo anterior entre 0.80 y 1.00 m.")
        let turned = Self.log([(0, 1), (1.4, 1.1)], total: 1.2).marked(words).layers
        #expect(turned.last { $0.number == "2" }?.isFaulty == true)
        let deep = Self.log([(0, 2)], total: 1.5).marked(words).layers
        #expect(deep[0].description.hasSuffix("Pasa de la profundidad de la calicata (1.50 m)."))
    }

    /// Without a depth of the pit, nobody knows that its excavation ended at its last stratum.
    @Test func theEndIsOnlySaidWhereItIsRecorded() {
        #expect(Self.log([(0, 2.3)], total: 2.3).ending(words) { "\($0) m" } == "Fin de la excavación a 2.3 m")
        var open = Self.log([(0, 2.3)], total: nil)
        open.unplaced = ["3 · CL · Arcilla"]
        let ending = open.ending(words) { "\($0) m" }
        #expect(!ending.contains("Fin de la excavación") && ending.contains("sin registrar") && ending.contains("Estrato sin profundidades, no dibujado: 3 · CL · Arcilla"))
    }

    @Test func columnsUnderOneTitleBecomeOneOnPages() {
        var content = Self.log([(0, 1)], total: 1)
        content.columns = [
            .init(label: "SUCS", isNumeric: false, width: nil, under: "Visual"), .init(label: "AASHTO", isNumeric: false, width: nil, under: "Visual"),
            .init(label: "LL (%)", isNumeric: true, width: nil, under: "Límites"), .init(label: "LP (%)", isNumeric: true, width: nil, under: "Límites"),
            .init(label: "w (%)", isNumeric: true, width: nil),
        ]
        content.layers[0].cells = [.text("SM"), .text("A-2-4(0)"), ReportCell(.number(29, decimals: 1), text: "29.0"), .empty, ReportCell(.number(3, decimals: 1), text: "3.0")]
        let log = content.drawing(DrawingSetting(ReportSamples.head()))
        #expect(log.columns.map(\.title).suffix(3) == ["Visual", "Límites", "w (%)"])
        #expect(log.cells[0].suffix(3) == ["SM\nA-2-4(0)", "LL 29.0", "3.0"])
    }

    @Test func aNameThatOnlyRepeatsItsSymbolIsNotSaidTwice() {
        let legend = SymbolsContent([.init(symbol: "RELLENO", name: "Relleno"), .init(symbol: "SM", name: "Arena limosa")]).legend(DrawingSetting(ReportSamples.head()))
        #expect(legend.entries.map(\.label) == ["RELLENO", "SM Arena limosa"])
    }
}
