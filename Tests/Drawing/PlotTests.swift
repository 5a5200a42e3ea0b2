import Testing
import Workbench

@testable import Blocks
@testable import Canvas
@testable import Drawing

@Suite struct PlotTests {
    private func curves(_ seed: Int) -> PlotContent {
        var numbers = SeededNumbers(seed)
        let series = (0..<Int.random(in: 1...14, using: &numbers)).map { index in
            let marks = (0..<Int.random(in: 0...14, using: &numbers)).map { _ in
                PlotContent.Mark(
                    x: Double.random(in: 0.01...120, using: &numbers), y: Double.random(in: -10...110, using: &numbers),
                    label: index % 5 == 3 ? String(Words.longName) : "C-\(index) M-1")
            }
            return (index == 2 ? String(Words.longName) : "M-\(index) · SM", marks)
        }
        var plot = PlotContent(x: .init("Tamaño (mm)", limits: seed % 2 == 0 ? 0.05...100 : nil), y: .init("Pasa (%)", limits: seed % 3 == 0 ? 0...100 : nil), series: series)
        plot.x.isLogarithmic = seed % 4 < 2
        plot.x.isReversed = seed % 5 == 1
        plot.isJoined = seed % 3 == 1
        plot.title = seed % 6 == 0 ? String(Words.longName) : "Curvas"
        plot.guides = [.init(points: [.init(x: 4.75, y: 0), .init(x: 4.75, y: 100)], label: "N° 4", isDashed: true)]
        plot.zones = [.init(x: 20, y: 50, label: "CL u OL"), .init(x: 60, y: 20, label: "MH u OH")]
        return plot
    }

    @Test(arguments: 0..<60) func `texts stay apart, and in the box`(_ seed: Int) throws {
        let plot = curves(seed)
        let found = try problems(width: 420, height: 280) { plot.draw(on: $0, in: $1, .plain) }
        #expect(found.outside.isEmpty && found.collisions.isEmpty, "\(found.outside) \(found.collisions)")
    }

    @Test func `a logarithmic axis has a line for each digit and a number at 1, 2 and 5`() {
        var axis = PlotContent.Axis("", limits: 0.05...100)
        axis.isLogarithmic = true
        let scale = PlotScale(axis, [], room: 400)
        #expect(scale.ticks.map { ($0 * 1000).rounded() / 1000 } == [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100])
        #expect(scale.lines.count == 5 + 9 + 9 + 9 + 1)
        #expect(abs(scale.share(1) - 0.394) < 0.001, "the first of 3.3 decades and a little")
        axis.isReversed = true
        #expect(abs(PlotScale(axis, [], room: 400).share(100)) < 1e-9)
        #expect(PlotScale(axis, [400], room: 400).share(400) >= 0, "a point beyond the limits is not left out")
        axis.limits = nil
        let fitted = PlotScale(axis, [0.3, 40, -2, .nan], room: 400)
        #expect(fitted.share(0.1) == 1 && fitted.share(100) == 0, "whole decades around the points that are above 0")
    }

    @Test func `nothing to draw is said`() throws {
        let recorder = TextRecorder()
        let plot = PlotContent(x: .init("x"), y: .init("y"), series: [("a", [])])
        _ = try Picture.png(width: 300, height: 200, scale: 0.2, recorder: recorder) { plot.draw(on: $0, in: $0.box, .saying("sin datos")) }
        #expect(recorder.entries.map(\.text) == ["sin datos"])
    }
}
