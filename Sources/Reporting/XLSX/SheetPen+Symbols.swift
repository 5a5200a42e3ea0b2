import Blocks
import Model
import Spreadsheets

extension SymbolsContent: SheetDrawn {
    func draw(with pen: inout SheetPen) throws { try pen.draw(symbols) }
    var leastColumns: Int { 6 }
    var mayFollowTable: Bool { true }
}

extension SheetPen {
    mutating func draw(_ symbols: [SymbolContent]) throws {
        let columns = max(min(3, grid.count / 2), 1)
        let hasRoom = grid.count >= 2
        let spans = hasRoom ? grid.spans((0..<columns).flatMap { _ in [0.16, 0.84] }) : [0..<1]
        var rest = symbols[...]
        while !rest.isEmpty {
            let line = rest.prefix(columns)
            rest = rest.dropFirst(columns)
            let texts = line.map { $0.saysNothingMore ? $0.name : "\($0.symbol)  \($0.name)" }
            let places = line.indices.indices.map { hasRoom ? spans[($0 - line.startIndex) * 2 + 1] : spans[0] }
            let height = zip(texts, places).map { self.height($0, span: $1, styles.text(.small)) }.max() ?? 0
            let rows = try addRows(height: max(height, 19))
            for (index, symbol) in line.enumerated() {
                var style = styles.text(.small)
                style.alignment = .middle
                try put(.text(texts[index]), rows: rows, span: places[index], style)
                guard hasRoom else { continue }
                let sample = spans[index * 2]
                let width = min(grid.points(of: sample) - 4, 48)
                let picture = try draft.drawings.symbol(symbol.symbol, width: width, height: 14)
                // The sample is at the right edge of its cell, beside its name.
                try insert(
                    picture, row: rows.lowerBound, column: sample.lowerBound, x: grid.points(of: sample) - width - 2, y: 2.25, width: width, height: 14,
                    symbol.name)
            }
        }
        try addRows(height: 6)
    }
}
