import Foundation
import Model

/// Computes an edge of a layer from the rows above it, separately for each record.
final class LayerValue {
    private let layer: ImportMapping.Layer
    private let conversions: [CellConversion]
    private let (places, within, unless): ([Int], [Int], [Int])
    /// The lowest edge so far by record; without a value where the last row did not state it.
    private var edges: [String: RowsAround.Edge] = [:]

    init(_ layer: ImportMapping.Layer, _ conversions: [CellConversion], _ find: ([String]) -> [Int]) {
        (self.layer, self.conversions) = (layer, conversions)
        (places, within, unless) = (find(layer.headings), find(layer.within), find(layer.unless))
    }

    /// Computes the value of a row; must be called once for each row, in order.
    ///
    /// - Parameters:
    ///   - again: set for a rejected row that is retried: it knows what was above.
    ///   - around: receives what was above.
    func value(
        of row: ForeignRow, words: ConversionWords, table: String, field: String, again: RowsAgain?, around: inout RowsAround
    ) throws(MappingFault) -> String? {
        func text(_ places: [Int]) throws(MappingFault) -> String? {
            guard let cell = row.first(places) else { return nil }
            return try row.converted(cell, conversions, words, table: table, field: field)
        }
        let record = within.map { row.text($0).map(ColumnName.normal) ?? "" }.joined(separator: "\u{1F}")
        let above = again?.edge(of: field, record: record) ?? edges[record] ?? .init(value: layer.first)
        let top = above.value
        around.note(above, of: field)
        // Unknown until this row has stated it: if a fault follows, the edge of an earlier row must
        // not be used.
        edges[record] = .init(line: row.number)
        let said = try text(unless)
        let given = try text(places)
        if layer.given == .thickness, let given, !Self.isNumber(given) {
            throw MappingFault(
                code: "IMPORT-NO-NUMBER", cell: row.first(places).flatMap { row.cellName($0.column) }, field: field,
                arguments: ["value": String(given.prefix(80))])
        }
        let bottom = layer.given == .bottom ? given : Self.sum(said.flatMap { layer.edge == .top ? $0 : nil } ?? top, given)
        let end = layer.edge == .bottom ? said ?? bottom : bottom
        edges[record] = .init(value: end, line: row.number)
        again?.note(end, of: field, record: record, line: row.number)
        if let said { return said }
        guard let value = layer.edge == .top ? top : bottom else {
            if layer.edge == .bottom, given == nil { return nil }
            throw MappingFault(code: "IMPORT-NO-ROW-ABOVE", field: field, arguments: ["name": layer.unless.first ?? field])
        }
        return value
    }

    private static let number = KeptRegex(/\s*[-+]?[0-9]+(\.[0-9]*)?\s*/)

    /// Whether the whole text is a number; `Decimal` would read `0,40` as 0.
    private static func isNumber(_ text: String) -> Bool { text.wholeMatch(of: number.regex) != nil }

    private static func sum(_ first: String?, _ second: String?) -> String? {
        guard [first, second].allSatisfy({ $0.map(isNumber) == true }) else { return nil }
        let locale = Locale(identifier: "en_US_POSIX")
        guard let first = first.flatMap({ Decimal(string: $0, locale: locale) }), let second = second.flatMap({ Decimal(string: $0, locale: locale) })
        else { return nil }
        return (first + second).description
    }
}
