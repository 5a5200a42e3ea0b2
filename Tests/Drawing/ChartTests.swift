import Testing
import Workbench

@testable import Canvas
@testable import Drawing

@Suite struct ChartTests {
    static let kinds: [ChartDrawing.Kind] = [.bars, .horizontalBars, .stackedBars, .line, .pie, .doughnut]

    @Test(arguments: kinds, 0..<25) func textsStayApart(kind: ChartDrawing.Kind, seed: Int) throws {
        var numbers = SeededNumbers(seed)
        let count = Int.random(in: 1...40, using: &numbers)
        let size = [1.0, 50, 1e6].randomElement(using: &numbers)!
        let categories = (0..<count).map { index in index % 6 == 5 ? String(Words.longName) : "Estrato \(index + 1)" }
        let series = (0..<Int.random(in: 1...9, using: &numbers)).map { index in
            ChartDrawing.Series(index == 2 ? String(Words.longName) : "Serie \(index)", (0..<count).map { _ in
                Bool.random(using: &numbers) ? Double.random(in: (seed % 4 == 0 ? -size : 0)...size, using: &numbers) : nil
            })
        }
        var chart = ChartDrawing(kind, title: seed % 3 == 0 ? String(Words.longName) : "Distribución", categories: categories, series: series)
        chart.axisTitle = "Metros"
        chart.decimals = seed % 3
        chart.isReversed = seed % 5 == 2
        let found = try problems(width: 400, height: 260) { chart.draw(on: $0, in: $1) }
        #expect(found.outside.isEmpty && found.collisions.isEmpty, "\(found.outside) \(found.collisions)")
    }

    @Test func eachRoundOfColoursHasTheSameHatchesInAnotherOrder() {
        let first = (0..<8).map { ChartInk($0).hatch }
        for round in 1..<8 { #expect((0..<8).map { ChartInk(8 * round + $0).hatch } == Array(first[round...] + first[..<round])) }
    }

    @Test func axesHaveRoundTicks() {
        var chart = ChartDrawing(.bars, categories: ["a", "b"], series: [.init("", [3, 78])])
        #expect(chart.axis(room: 150) == (0, 80, 20))
        chart.series = [.init("", [-3, 7])]
        #expect(chart.axis(room: 100) == (-5, 10, 5))
        chart.kind = .line
        chart.series = [.init("", [101, 103])]
        let (low, high, step) = chart.axis(room: 100)
        #expect(low == 101 && high == 103 && step == 1)
        chart.series = [.init("", [nil, 0])]
        #expect(chart.axis(room: 100).high > chart.axis(room: 100).low)
    }

    /// Where an axis points down, the figures of columns stand below their ends, deeper for more, and
    /// the names of the categories are below all of them.
    @Test(arguments: [ChartDrawing.Kind.bars, .stackedBars]) func aReversedAxisPointsDown(_ kind: ChartDrawing.Kind) throws {
        var chart = ChartDrawing(kind, categories: ["C-01", "C-02"], series: [.init("", [15, 35])])
        func heights() throws -> [String: Double] {
            let recorder = TextRecorder()
            _ = try Picture.png(width: 300, height: 200, scale: 0.2, recorder: recorder) { chart.draw(on: $0, in: $0.box) }
            return Dictionary(recorder.entries.map { ($0.text, $0.box.y) }) { first, _ in first }
        }
        let up = try heights()
        chart.isReversed = true
        let down = try heights()
        #expect(try #require(up["15"]) > #require(up["35"]))
        #expect(try #require(down["15"]) < #require(down["35"]))
        #expect(try #require(down["35"]) < #require(down["C-01"]) && #require(down["0"]) < #require(down["40"]))
    }

    @Test(arguments: kinds) func noValuesAreSaid(kind: ChartDrawing.Kind) throws {
        var chart = ChartDrawing(kind, title: "T", categories: ["a"], series: [.init("n", [nil])])
        chart.emptyLabel = "Sin datos"
        #expect(try problems(width: 300, height: 200) { chart.draw(on: $0, in: $1) }.texts == ["T", "Sin datos"])
        chart.series = []
        #expect(try problems(width: 300, height: 200) { chart.draw(on: $0, in: $1) }.texts == ["T", "Sin datos"])
    }

    @Test func valuesAreWrittenByTheCaller() throws {
        var chart = ChartDrawing(.bars, categories: ["a"], series: [.init("n", [1234.5])])
        chart.format = { "S/ \(Int($0))" }
        #expect(try problems(width: 300, height: 200) { chart.draw(on: $0, in: $1) }.texts.contains("S/ 1234"))
    }

    @Test func chartsAreAsApproved() throws {
        let soils = ["GW", "GP-GM", "SM", "CL", "ML", "CH", "Relleno"]
        let metres: [Double?] = [12, 33, 45, 78, 22, 8, 17]
        let people: [ChartDrawing.Series] = [
            .init("A. Quispe", [3, 5, 6, 2, 4, 7]), .init("M. Núñez", [2, 4, 1, 6, 3, 3]), .init("J. Pérez", [1, 0, 2, 2, 5, nil]),
        ]
        let weeks = (1...6).map { "Semana \($0)" }
        try Golden.expect("charts", width: 820, height: 760) { canvas in
            for (index, kind) in Self.kinds.enumerated() {
                let isByWeek = kind == .stackedBars || kind == .line
                var chart = ChartDrawing(
                    kind, title: isByWeek ? "Avance por semana" : "Metros por suelo", categories: isByWeek ? weeks : soils, series: isByWeek ? people : [.init("m", metres)])
                chart.axisTitle = "Metros"
                chart.draw(on: canvas, in: Box(x: 10 + Double(index % 2) * 410, y: 10 + Double(index / 2) * 250, width: 385, height: 230))
            }
        }
    }
}
