import Foundation
import Model

/// Reports contradicting columns. If a field may be read from several columns, the first filled one
/// is used; a different value in another of them is reported.
final class AlternativeColumns {
    private struct Group {
        let columns: [Int]
        let isHidden: Bool
        var count = 0
        /// The first row in which the columns differ.
        var line = 0
        var values = ""
    }

    private var groups: [Group] = []
    private let heading: Heading
    var isEmpty: Bool { groups.isEmpty }

    init(_ part: ImportMapping.Table, _ heading: Heading, _ pack: Pack) {
        self.heading = heading
        for target in part.targets {
            for field in target.fields {
                let isHidden = !pack.mayQuote(pack.entity(target.entity)?.field(field.name))
                for names in Self.alternatives(field) {
                    let filled =
                        target.each.map { numbers in
                            numbers.map { number in names.map { $0.replacing("{n}", with: String(number)) } }
                        } ?? [names]
                    for names in filled { add(names, isHidden: isHidden) }
                }
            }
        }
        for column in part.columns where column.other == nil { add(column.headings, isHidden: false) }
    }

    private static func alternatives(_ field: ImportMapping.Field) -> [[String]] {
        switch field.value {
        case .column(let names): names.count > 1 ? [names] : []
        case .parent(_, let by), .identifier(let by), .object(let by), .merge(let by): by.flatMap(alternatives)
        case .other(let other): other.by.flatMap(alternatives)
        case .join, .constant, .option, .ofTable, .expression, .named, .ordinal, .layer: []
        }
    }

    private func add(_ names: [String], isHidden: Bool) {
        let columns = heading.places(of: names).reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
        guard columns.count > 1, !groups.contains(where: { $0.columns == columns }) else { return }
        groups.append(Group(columns: columns, isHidden: isHidden))
    }

    /// Compares the alternative columns in a row that was imported.
    func note(_ row: ForeignRow) {
        for index in groups.indices {
            var first: String?
            for column in groups[index].columns {
                guard let text = row.text(column)?.trimmingCharacters(in: .whitespacesAndNewlines) else { continue }
                guard let known = first else {
                    first = text
                    continue
                }
                guard known != text else { continue }
                groups[index].count += 1
                if groups[index].count == 1 {
                    (groups[index].line, groups[index].values) = (
                        row.number, "\(known.prefix(60)) ≠ \(text.prefix(60))"
                    )
                }
                break
            }
        }
    }

    /// One finding for each group of columns that differ.
    func findings(file: String, sheet: String) -> [Finding] {
        groups.filter { $0.count > 0 }.map { group in
            Finding(
                "IMPORT-DIFFERENT-COLUMNS",
                place: Place(file: file, sheet: sheet, line: group.line),
                arguments: [
                    "columns": group.columns.map(heading.name).joined(separator: ", "), "count": String(group.count),
                    "line": String(group.line),
                    "values": group.isHidden ? Pack.hiddenValue : group.values,
                ])
        }
    }
}
