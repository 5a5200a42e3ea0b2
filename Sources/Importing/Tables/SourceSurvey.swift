internal import Foundation
package import Model

/// Describes a table of a source that needs no mapping: JSON, a package, the app's folder, a
/// drawing. `TableSurvey` describes other tables.
package struct SourceSurvey {
    package let name: String
    package private(set) var columns: [TableSurvey.Column] = []
    package private(set) var rows = 0
    /// The first rows as text, by column; nil if a row has no value.
    package private(set) var samples: [[String?]] = []

    /// Number of values of each type, by column.
    private var counts: [[TableSurvey.CellType: Int]] = []
    private static let sampleRows = 3
    private static let majority = 0.95

    /// Reads a file or folder to its end, in the format detected from its contents; nil if no
    /// format of rows of a pack recognises it.
    ///
    /// - Parameter packs: packs whose entities the tables may contain. JSON needs none, because its
    ///   one table has the file's name.
    package static func read(_ location: SourceLocation, packs: [Pack]) throws -> (
        kind: String, tables: [SourceSurvey]
    )? {
        guard let kind = SourceFormats.name(of: location) else { return nil }
        let path = location.url.path
        if kind == JSONFormat.kind {
            let name = location.url.deletingPathExtension().lastPathComponent
            return (kind, [try SourceSurvey(name, JSONCells(file: path, limits: location.limits))])
        }
        var location = location
        // The project of a drawing does not matter for a survey.
        location.options.projectID = location.options.projectID ?? "00000000-0000-0000-0000-000000000000"
        let source = try open(location, packs)
        return (
            kind, try source.tables.compactMap { table in try table.cells.map { try SourceSurvey(table.name, $0()) } }
        )
    }

    private static func open(_ location: SourceLocation, _ packs: [Pack]) throws -> any Source {
        var other: ImportFailure?
        for pack in packs {
            do {
                return try SourceFormats.open(location, pack: pack)
            } catch let failure as ImportFailure where ["IMPORT-OTHER-PACK", "IMPORT-NO-PLANS"].contains(failure.code) {
                other = failure
            }
        }
        throw other
            ?? ImportFailure.unknownKind(
                path: location.url.path, known: ImportFormats.all.compactMap { ($0 as? any SourceFormat.Type)?.kind })
    }

    private init(_ name: String, _ cells: any NamedRows) throws {
        self.name = name
        var batch = ForeignBatch()
        while true {
            try cells.fill(&batch)
            guard batch.rowCount > 0 else { break }
            for name in cells.names[columns.count...] {
                columns.append(TableSurvey.Column(name: name, type: .empty, filled: 0))
                counts.append([:])
            }
            for row in 0..<batch.rowCount { take(batch, row) }
        }
        for (index, own) in counts.enumerated() {
            guard let most = own.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }) else {
                continue
            }
            columns[index].type =
                Double(most.value) >= Double(columns[index].filled) * Self.majority ? most.key : .mixed
        }
        samples = samples.map { $0 + Array(repeating: nil, count: columns.count - $0.count) }
    }

    /// Counts the types of a row's values.
    private mutating func take(_ batch: borrowing ForeignBatch, _ row: Int) {
        rows += 1
        // A line that is not a row has no columns; the import reports it.
        guard batch.remarks[row]?.fault == nil else { return }
        var sample: [String?] = Array(repeating: nil, count: columns.count)
        for column in 0..<batch.width(row) {
            let cell = batch.cell(row, column)
            let type = Self.type(of: cell.kind, batch.text.span.extracting(cell.range))
            guard type != .empty else { continue }
            counts[column][type, default: 0] += 1
            columns[column].filled += 1
            if samples.count < Self.sampleRows { sample[column] = batch.string(row, column) }
        }
        if samples.count < Self.sampleRows { samples.append(sample) }
    }

    /// The type of a value; nested values count as text, as they are written.
    private static func type(of kind: ForeignBatch.Kind, _ bytes: Span<UInt8>) -> TableSurvey.CellType {
        switch kind {
        case .empty, .null: return .empty
        case .boolean: return .boolean
        case .number: return .number
        case .text:
            guard bytes.count > 0 else { return .empty }
            switch ApparentType(bytes) {
            case .date: return .date
            case .dateTime: return .dateTime
            case .time: return .time
            // Digits in quotation marks are intended as text.
            case .text, .number: return .text
            }
        default: return .text
        }
    }
}
