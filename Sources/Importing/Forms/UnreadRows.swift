import Model

/// Rows of forms that contain data but that no part of the mapping reads: rows of a table that the
/// mapping lacks, or rows beyond a table's end. A label with its value counts as an unread column,
/// not as a row. On sideways forms, columns count as rows.
struct UnreadRows {
    private typealias Cell = FormLeftovers.Cell

    private var rows: [(sheet: String, cells: [Cell])] = []
    /// By sheet, the cells of the unread rows.
    private var places: [String: Set<SheetCell>] = [:]

    /// A line with fewer cells is a title, or a label with its value.
    private static let leastCells = 3
    /// The largest number of rows named in a finding.
    private static let named = 20

    /// - Parameter left: by sheet, the cells that no part of the mapping reads.
    init(_ left: [(sheet: String, cells: [FormLeftovers.Cell])], areColumns: Bool) {
        var counts: [String: Int] = [:]
        for cell in left.flatMap(\.cells) { counts[Self.print(cell), default: 0] += 1 }
        // A text in the same place of most sheets is printed.
        func isPrinted(_ cell: Cell) -> Bool { counts[Self.print(cell)].map { $0 > 1 && $0 * 2 > left.count } == true }
        for (sheet, cells) in left {
            let open = cells.filter { !$0.isInReadLine && !isPrinted($0) }
            let lines = Dictionary(grouping: open) { areColumns ? $0.place.column : $0.place.row }
            for (number, cells) in lines.sorted(by: { $0.key < $1.key }) {
                let neighbours = [number - 1, number + 1].compactMap { lines[$0] }
                guard Self.isOfTable(cells) || neighbours.contains(where: { Self.areAlike(cells, $0, areColumns) })
                else { continue }
                rows.append((sheet, cells))
                places[sheet, default: []].formUnion(cells.map(\.place))
            }
        }
    }

    func contains(_ place: SheetCell, _ sheet: String) -> Bool { places[sheet]?.contains(place) == true }

    /// A cell's position and text, by which printed texts are recognised.
    private static func print(_ cell: Cell) -> String { cell.place.name + " " + cell.head }

    /// Whether a text begins like a number, a day or a range of depths.
    static func isValue(_ text: String) -> Bool {
        text.first { !$0.isWhitespace && !"<>+-–±".contains($0) }?.isNumber == true
    }

    /// The cells of a sheet, except rows that begin with one of the ignored texts.
    static func cells(_ cells: [FormLeftovers.Cell], without ignored: [String]) -> [FormLeftovers.Cell] {
        let labels = LabelPattern(ignored)
        guard labels.count > 0 else { return cells }
        let starts = Dictionary(
            cells.filter { labels.matches(ColumnName.normal($0.head)) }.map { ($0.place.row, $0.place.column) },
            uniquingKeysWith: min)
        return cells.filter { cell in starts[cell.place.row].map { cell.place.column < $0 } ?? true }
    }

    /// Whether the cells contain a value without a label before it. If a line begins with a label
    /// (`Inicio y fin:` in the footer), all its values belong to that label.
    private static func isOfTable(_ cells: [Cell]) -> Bool {
        if cells.first?.hasColon == true { return false }
        if cells.count == 2 { return cells[0].isValue && !cells[1].isValue }
        return cells.count >= leastCells
            && cells.indices.contains { cells[$0].isValue && ($0 == 0 || cells[$0 - 1].isValue) }
    }

    /// Whether two neighbouring lines have several cells at the same positions.
    private static func areAlike(_ one: [Cell], _ other: [Cell], _ areColumns: Bool) -> Bool {
        func places(_ cells: [Cell]) -> Set<Int> { Set(cells.map { areColumns ? $0.place.row : $0.place.column }) }
        return places(one).intersection(places(other)).count >= leastCells
    }

    func findings(path: String) -> [Finding] {
        guard let first = rows.first else { return [] }
        let names = rows.prefix(Self.named).map { row in
            "\(row.sheet)!\(row.cells[0].place.name) “\(row.cells.prefix(4).map(\.head).joined(separator: ", "))”"
        }
        return [
            Finding(
                "IMPORT-UNREAD-ROW", place: Place(file: path, sheet: first.sheet, cell: first.cells[0].place.name),
                arguments: [
                    "count": String(rows.count), "cells": String(rows.reduce(0) { $0 + $1.cells.count }),
                    "rows": names.joined(separator: ", ") + (rows.count > Self.named ? ", …" : ""),
                ])
        ]
    }
}

extension ImportMapping.Form {
    /// Whether all tables of the form are sideways.
    var readsColumns: Bool { !tables.isEmpty && tables.allSatisfy(\.isSideways) }
}
