import Testing

@testable import Blocks
@testable import Reporting

@Suite struct TextFitTests {
    private let fit = TextFit(font: "Arial")

    @Test func widthsAreThoseOfHelvetica() {
        // At 10 points, a digit is 5.56 points wide and a space 2.78, and a twentieth is added.
        #expect(abs(fit.width("0 0", size: 10) - (5.56 + 2.78 + 5.56) * 1.05) < 0.001)
        #expect(fit.width("ñ", size: 10) > fit.width("n", size: 10))
        #expect(fit.width("aa", size: 10, isBold: true) > fit.width("aa", size: 10))
        #expect(TextFit(font: "Verdana").width("a", size: 10) > fit.width("a", size: 10))
        #expect(fit.longestWord("a bbbb cc", size: 10) == fit.width("bbbb", size: 10))
    }

    @Test func linesBreakBetweenWords() {
        let word = fit.width("palabra", size: 10)
        #expect(fit.lines("palabra palabra", in: word * 1.5 + TextFit.padding, size: 10) == 2)
        #expect(fit.lines("palabra palabra", in: word * 3 + TextFit.padding, size: 10) == 1)
        #expect(fit.lines("a\nb\n\nc", in: 500, size: 10) == 4)
        #expect(fit.lines("", in: 500, size: 10) == 1)
        // A word that does not fit in a line is broken.
        #expect(fit.lines(String(repeating: "0", count: 100), in: 55.7 * 1.05 + TextFit.padding, size: 10) == 10)
    }
}

@Suite struct SheetPlanTests {
    private func widths(_ shares: [Double?]) -> [Double] {
        let columns = shares.map { TableContent.Column(label: "Columna", isNumeric: false, width: $0, decimals: nil) }
        let rows = (0..<20).map { TableContent.Row(.data, shares.indices.map { [row = $0] in .text("celda \(row) de la columna \($0)") }) }
        return SheetPlan.widths(TableContent(title: nil, columns: columns, rows: rows, empty: nil), usable: 500, fit: TextFit(font: "Arial"))
    }

    /// A share beside columns without one is no part of the page: 4 would be four pages.
    @Test(arguments: [[nil, nil, nil], [4, nil, nil], [0.5, nil, 1.6], [5, nil, 16], [nil, 700, nil], [1, 1, 2], [5, 5, 10]] as [[Double?]])
    func columnsAreTogetherAsWideAsThePage(shares: [Double?]) {
        #expect(abs(widths(shares).reduce(0, +) - 500) < 0.01)
    }

    @Test func aShareWidensItsColumn() {
        let (plain, wide) = (widths([nil, nil, nil]), widths([3, nil, nil]))
        #expect(wide[0] > plain[0] && wide[1] < plain[1] && wide[1] > 0)
        #expect(widths([1, 1, 2]) == widths([5, 5, 10]))
    }
}

@Suite struct SheetGridTests {
    @Test func spansCoverEveryColumnOnce() {
        let grid = SheetGrid(points: [30, 30, 60, 120, 30, 30, 60])
        for weights in [[1.0], [1, 1], [0.4, 0.6, 0.4, 0.6], [5, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 5]] {
            let spans = grid.spans(weights)
            #expect(spans.flatMap { Array($0) } == Array(0..<7) && spans.allSatisfy { !$0.isEmpty })
        }
        #expect(grid.spans([1, 1]) == [0..<4, 4..<7])
        #expect(grid.span(of: 50, fromRight: false) == 0..<2 && grid.span(of: 61, fromRight: true) == 5..<7)
        #expect(grid.span(of: 9999, fromRight: true) == 0..<7)
    }
}
