import Foundation
import Importing
import Model

extension TableSample {
    /// Source of a column that the file lacks and that is computed from another one: one end of a
    /// range in a single cell, or an edge of a layer.
    enum Derived: Hashable {
        case end(CellConversion.RangeEnd, of: String)
        case top(bottom: String)
        /// A depth in a form's table whose heading is a name of the record's whole depth.
        case bottom(of: String)
        case edge(ImportMapping.Layer.Edge, thickness: String)

        var source: String {
            switch self {
            case .end(_, let source), .top(let source), .bottom(let source), .edge(_, let source): source
            }
        }
    }

    private static let thicknesses: Set<String> = ["espesor", "potencia", "thickness", "spessore"]

    /// Adds the edges of layers, if the pack defines layers and the table has them in another form
    /// (a range, a thickness, only the lower edge).
    ///
    /// - Parameter lines: the columns that come from a form's table; the others are the form's
    ///   values. Nil for a table that is not part of a form.
    mutating func deriveLayers(_ pack: Pack, _ words: HeadingWords, lines: Range<Int>? = nil) {
        for record in pack.records {
            guard let strip = record.strip else { continue }
            func score(_ column: Column, _ field: String) -> Double {
                ([column.heading] + [column.last].compactMap(\.self)).map {
                    words.score($0, entity: strip.entity, field: field)
                }.max() ?? 0
            }
            let own = columns.indices
            for index in own where isRange(index) {
                let source = columns[index].heading
                add(strip.from, .end(.from, of: source), columns[index].cells.map { Self.end($0, .from) })
                add(strip.to, .end(.to, of: source), columns[index].cells.map { Self.end($0, .to) })
                return
            }
            guard !own.contains(where: { score(columns[$0], strip.from) >= 0.9 && isNumeric($0) }) else { continue }
            func isTotal(_ index: Int) -> Bool {
                guard let total = strip.total else { return false }
                return [columns[index].heading, columns[index].last ?? ""].contains {
                    words.score($0, entity: record.root, field: total) >= 0.9
                }
            }
            if let bottom = own.first(where: { score(columns[$0], strip.to) >= 0.9 && isNumeric($0) }) {
                addTops(strip.from, above: bottom)
            } else if let bottom = lines?.first(where: { isTotal($0) && isNumeric($0) }) {
                add(strip.to, .bottom(of: columns[bottom].heading), columns[bottom].cells)
                addTops(strip.from, above: bottom)
            } else if let thick = own.first(where: {
                !HeadingWords.words(columns[$0].heading).isDisjoint(with: Self.thicknesses) && isNumeric($0)
            }) {
                let source = columns[thick].heading
                add(
                    strip.from, .edge(.top, thickness: source),
                    columns[thick].cells.map { $0.map { _ in Cell(text: "0", kind: .number) } })
                add(strip.to, .edge(.bottom, thickness: source), columns[thick].cells)
            }
        }
    }

    private mutating func addTops(_ field: String, above bottom: Int) {
        var above = 0.0
        add(field, .top(bottom: columns[bottom].heading), columns[bottom].cells.map { cell in
            guard let depth = Self.number(cell) else { return nil }
            // If a depth is not deeper than the previous one, another record begins.
            let top = depth > above ? above : 0
            above = depth
            return Cell(text: String(top), kind: .number)
        })
    }

    private func isRange(_ index: Int) -> Bool {
        let filled = columns[index].filled
        return !filled.isEmpty && filled.count { Self.end($0, .from) != nil } * 10 >= filled.count * 8
    }

    private func isNumeric(_ index: Int) -> Bool {
        let filled = columns[index].filled
        return !filled.isEmpty && filled.allSatisfy { Self.number($0) != nil }
    }

    private static func end(_ cell: Cell?, _ end: CellConversion.RangeEnd) -> Cell? {
        guard let cell, cell.kind == .text,
            let text = try? CellConversion.range(end).apply(cell.text, words: ConversionWords(lookups: [:]))
        else { return nil }
        return Cell(text: text, kind: .number)
    }

    private static let metres = CachedRegex(/([0-9]+(?:[.,][0-9]+)?)\s*(?:m|mts?)?\.?/)

    private static func number(_ cell: Cell?) -> Double? {
        guard let text = cell?.text.lowercased().trimmingSpaces else { return nil }
        return text.wholeMatch(of: metres.regex).flatMap { Double($0.1.replacing(",", with: ".")) }
    }
}
