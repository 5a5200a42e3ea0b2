import Testing
import Workbench

@testable import Blocks
@testable import Canvas
@testable import Drawing

@Suite struct ChartTests {
    typealias Kind = ChartContent.Kind
    static let kinds: [(kind: Kind, isRing: Bool)] = [(.columns, false), (.bars, false), (.stacked, false), (.line, false), (.pie, false), (.pie, true)]

    private static func chart(_ kind: Kind, _ categories: [String], _ series: [ChartContent.Series]) -> ChartContent {
        ChartContent(kind: kind, categories: categories, series: series)
    }

    private func axis(_ chart: ChartContent, room: Double) -> (low: Double, high: Double, step: Double) {
        ChartDrawing(content: chart, setting: .plain).axis(room: room)
    }

    @Test(arguments: kinds, 0..<25) func textsStayApart(_ kind: (kind: Kind, isRing: Bool), seed: Int) throws {
        var numbers = SeededNumbers(seed)
        let count = Int.random(in: 1...40, using: &numbers)
        let size = [1.0, 50, 1e6].randomElement(using: &numbers)!
        let categories = (0..<count).map { index in index % 6 == 5 ? String(Words.longName) : "Estrato \(index + 1)" }
        let series = (0..<Int.random(in: 1...9, using: &numbers)).map { index in
            ChartContent.Series(name: index == 2 ? String(Words.longName) : "Serie \(index)", values: (0..<count).map { _ in
                Bool.random(using: &numbers) ? Double.random(in: (seed % 4 == 0 ? -size : 0)...size, using: &numbers) : nil
            })
        }
        var chart = Self.chart(kind.kind, categories, series)
        chart.title = seed % 3 == 0 ? String(Words.longName) : "Distribución"
        chart.isRing = kind.isRing
        chart.measure = "Metros"
        chart.decimals = seed % 3
        chart.isReversed = seed % 5 == 2
        let found = try problems(width: 400, height: 260) { chart.draw(on: $0, in: $1, .plain) }
        #expect(found.outside.isEmpty && found.collisions.isEmpty, "\(found.outside) \(found.collisions)")
    }

    @Test func eachRoundOfColoursHasTheSameHatchesInAnotherOrder() {
        let first = (0..<8).map { ChartInk($0).hatch }
        for round in 1..<8 { #expect((0..<8).map { ChartInk(8 * round + $0).hatch } == Array(first[round...] + first[..<round])) }
    }

    @Test func axesHaveRoundTicks() {
        var chart = Self.chart(.columns, ["a", "b"], [.init(name: "", values: [3, 78])])
        #expect(axis(chart, room: 150) == (0, 80, 20))
        chart.series = [.init(name: "", values: [-3, 7])]
        #expect(axis(chart, room: 100) == (-5, 10, 5))
        chart.kind = .line
        chart.series = [.init(name: "", values: [101, 103])]
        let (low, high, step) = axis(chart, room: 100)
        #expect(low == 101 && high == 103 && step == 1)
        chart.series = [.init(name: "", values: [nil, 0])]
        #expect(axis(chart, room: 100).high > axis(chart, room: 100).low)
    }

    /// Where an axis points down, the figures of columns stand below their ends, deeper for more, and
    /// the names of the categories are below all of them.
    @Test(arguments: [Kind.columns, .stacked]) func aReversedAxisPointsDown(_ kind: Kind) throws {
        var chart = Self.chart(kind, ["C-01", "C-02"], [.init(name: "", values: [15, 35])])
        func heights() throws -> [String: Double] {
            let recorder = TextRecorder()
            _ = try Picture.png(width: 300, height: 200, scale: 0.2, recorder: recorder) { chart.draw(on: $0, in: $0.box, .plain) }
            return Dictionary(recorder.entries.map { ($0.text, $0.box.y) }) { first, _ in first }
        }
        let up = try heights()
        chart.isReversed = true
        let down = try heights()
        #expect(try #require(up["15"]) > #require(up["35"]))
        #expect(try #require(down["15"]) < #require(down["35"]))
        #expect(try #require(down["35"]) < #require(down["C-01"]) && #require(down["0"]) < #require(down["40"]))
    }

    @Test(arguments: Kind.allCases) func noValuesAreSaid(kind: Kind) throws {
        var chart = Self.chart(kind, ["a"], [.init(name: "n", values: [nil])])
        chart.title = "T"
        #expect(try problems(width: 300, height: 200) { chart.draw(on: $0, in: $1, .saying("Sin datos")) }.texts == ["T", "Sin datos"])
        chart.series = []
        #expect(try problems(width: 300, height: 200) { chart.draw(on: $0, in: $1, .saying("Sin datos")) }.texts == ["T", "Sin datos"])
    }

    /// Names that do not fit are left out, and the chart says so. The words stand below the names, or beside the
    /// title of the axis.
    @Test(arguments: [Kind.columns, .bars]) func aChartSaysThatNamesAreLeftOut(_ kind: Kind) throws {
        func texts(_ count: Int) throws -> [String] {
            let soils = (1...count).map { "Suelo \($0)" }
            var chart = Self.chart(kind, soils, [.init(name: "m", values: soils.map { _ in 2 })])
            chart.measure = "Metros"
            let found = try problems(width: 300, height: 34 * 72 / 25.4) {
                chart.draw(on: $0, in: $1, DrawingSetting(ReportWords { $0 == "word.report.names_left_out" ? "una de {n}" : "" }))
            }
            #expect(found.outside.isEmpty && found.collisions.isEmpty)
            return found.texts
        }
        let few = try texts(3), many = try texts(60)
        #expect(few.count { $0.hasPrefix("Suelo") } == 3 && !few.contains { $0.contains("una de") })
        #expect(many.count { $0.hasPrefix("Suelo") } < 60 && many.contains { $0.contains("una de") }, "\(many)")
    }

    @Test func chartsAreAsApproved() throws {
        let soils = ["GW", "GP-GM", "SM", "CL", "ML", "CH", "Relleno"]
        let metres: [Double?] = [12, 33, 45, 78, 22, 8, 17]
        let people: [ChartContent.Series] = [
            .init(name: "A. Quispe", values: [3, 5, 6, 2, 4, 7]), .init(name: "M. Núñez", values: [2, 4, 1, 6, 3, 3]), .init(name: "J. Pérez", values: [1, 0, 2, 2, 5, nil]),
        ]
        let weeks = (1...6).map { "Semana \($0)" }
        try Golden.expect("charts", width: 820, height: 760) { canvas in
            for (index, kind) in Self.kinds.enumerated() {
                let isByWeek = kind.kind == .stacked || kind.kind == .line
                var chart = Self.chart(kind.kind, isByWeek ? weeks : soils, isByWeek ? people : [.init(name: "m", values: metres)])
                (chart.title, chart.measure, chart.isRing) = (isByWeek ? "Avance por semana" : "Metros por suelo", "Metros", kind.isRing)
                chart.draw(on: canvas, in: Box(x: 10 + Double(index % 2) * 410, y: 10 + Double(index / 2) * 250, width: 385, height: 230), .plain)
            }
        }
    }
}
