internal import Foundation
internal import JSONReading
package import Model

/// What is in a table of a source that needs no mapping: JSON, a package, the app's folder, a drawing. As `TableSurvey` tells of foreign tables.
package struct SourceSurvey {
    package let name: String
    package private(set) var columns: [TableSurvey.Column] = []
    package private(set) var rows = 0
    /// The first rows as text, by column; nil where a row has no value.
    package private(set) var samples: [[String?]] = []

    private var places: [String: Int] = [:]
    /// Values of each type, by column.
    private var counts: [[TableSurvey.ValueType: Int]] = []
    private static let sampleRows = 3
    private static let majority = 0.95

    /// Reads a file or folder to its end as what its content says it is; nil when it is of none of these kinds.
    ///
    /// - Parameter packs: those whose entities its tables may hold. JSON needs none: its one table bears the file's name.
    package static func read(_ location: SourceLocation, packs: [Pack]) throws -> (kind: String, tables: [SourceSurvey])? {
        guard let kind = SourceFormats.name(of: location) else { return nil }
        let path = location.url.path
        if kind == JSONFormat.name {
            let name = location.url.deletingPathExtension().lastPathComponent
            let table = SourceTable(name: name, file: path, statedRows: nil) { body in
                try JSONSource.forEachRow(ofFile: path, limits: location.limits.json, body)
            }
            return (kind, [try SourceSurvey(table, limits: location.limits)])
        }
        var location = location
        // Where a drawing belongs does not matter here.
        location.options.projectID = location.options.projectID ?? "00000000-0000-0000-0000-000000000000"
        let source = try open(location, packs)
        return (kind, try source.tables.map { try SourceSurvey($0, limits: location.limits) })
    }

    private static func open(_ location: SourceLocation, _ packs: [Pack]) throws -> any Source {
        var other: ImportFailure?
        for pack in packs {
            do {
                return try SourceFormats.open(location, pack: pack)
            } catch let failure as ImportFailure {
                guard case .otherPack = failure else { throw failure }
                other = failure
            }
        }
        throw other ?? ImportFailure.unknownKind(path: location.url.path, known: SourceFormats.all.map { $0.name })
    }

    private init(_ table: SourceTable, limits: TableLimits) throws {
        name = table.name
        try table.forEachRow { row in
            // A line that is no row is told when it is imported, and has no columns.
            guard let members = row.value.members, row.fault == nil else { return rows += 1 }
            var sample: [String?] = Array(repeating: nil, count: columns.count)
            for member in members {
                let column = try place(of: member.key, row, limits)
                if sample.count < columns.count { sample.append(nil) }
                let type = Self.type(of: member.value)
                guard type != .empty else { continue }
                counts[column][type, default: 0] += 1
                columns[column].filled += 1
                if samples.count < Self.sampleRows { sample[column] = member.value.text ?? "\(member.value)" }
            }
            if samples.count < Self.sampleRows { samples.append(sample) }
            rows += 1
        }
        for (index, own) in counts.enumerated() {
            guard let most = own.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }) else { continue }
            columns[index].type = Double(most.value) >= Double(columns[index].filled) * Self.majority ? most.key : .mixed
        }
        samples = samples.map { $0 + Array(repeating: nil, count: columns.count - $0.count) }
    }

    private mutating func place(of name: String, _ row: SourceRow, _ limits: TableLimits) throws -> Int {
        if let known = places[name] { return known }
        guard columns.count < limits.columns else {
            throw TableFailure.tooLarge(Place(file: row.file, line: row.line), kind: JSONFormat.name, limit: "columns \(limits.columns)")
        }
        places[name] = columns.count
        columns.append(TableSurvey.Column(name: name, type: .empty, filled: 0))
        counts.append([:])
        return columns.count - 1
    }

    /// Values within values are told as the text that they are written as.
    private static func type(of value: JSONValue) -> TableSurvey.ValueType {
        switch value {
        case .null: return .empty
        case .bool: return .boolean
        case .number: return .number
        case .array, .object: return .text
        case .string(let text):
            guard !text.isEmpty else { return .empty }
            switch TextLook(Array(text.utf8).span) {
            case .date: return .date
            case .dateTime: return .dateTime
            case .time: return .time
            // Digits in quotation marks are meant as text.
            case .text, .number: return .text
            }
        }
    }
}
