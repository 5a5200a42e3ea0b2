import Foundation
import JSONReading
package import Model

/// Limits for reading a file of submissions.
package struct SubmissionLimits: FormatLimits {
    /// Columns of all tables, including those that rows of repeats copy from their enclosing rows.
    package var columns = 200_000
    /// Bytes that one row of a repeat copies from its enclosing rows; further values become error
    /// cells.
    package var takenOverBytes = 1 << 16

    package static let bounds: [FormatBound<SubmissionLimits>] = [
        .init("submissionColumns", .count, \.columns, highest: 1 << 24),
        .init("submissionTakenOverBytes", .bytes, \.takenOverBytes, highest: 1 << 24),
    ]

    package init() {}
}

/// Submissions of a form of KoboToolbox or ODK, with one JSON object a line or as the reply of an
/// API (`{"results": […]}`). The submissions are one table. Each list of repeats in them is another
/// table, named by its path (`datos/estratos`).
///
/// Groups become part of a column's name, whether the file writes `grupo/campo` or nested objects.
/// The names of a repeat's questions may begin with the repeat's path or not. Rows of a repeat have
/// the values of the rows that enclose them under `../campo`, like rows of XML. A list of plain
/// values becomes one text.
package final class SubmissionsFile: TableFormat, TableFile {
    package static let kind = "submissions"
    package static let bounds = ReadingBound.of(SubmissionLimits.self)
    package private(set) var tables: [ForeignTable] = []
    package let rejectedLines: LineSet
    private let layout: JSONRows.Layout
    var isLines: Bool { layout == .lines }

    /// Members that the server adds to a submission.
    private static let marks: Set<String> = [
        "_submission_time", "_xform_id_string", "formhub/uuid", "meta/instanceID", "__system",
    ]

    package static func recognises(_ head: FileHead) -> Bool { layout(of: head) != nil }

    /// Layout of the submissions; nil for a file without any.
    private static func layout(of head: FileHead) -> JSONRows.Layout? {
        let mark = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let first = head.bytes.dropFirst(mark).first { !" \t\r\n".utf8.contains($0) }
        guard first == UInt8(ascii: "{") else { return nil }
        // An API's reply may have one whole submission a line, so the layout of a document is tried
        // first. The lists within a submission do not have these members.
        let found = JSONLayout.detect(head.bytes, isWhole: head.size == head.bytes.count, limits: .standard)
        if found == .document, hasMarks(head, .document) { return .document }
        return hasMarks(head, .lines) ? .lines : nil
    }

    private static func hasMarks(_ head: FileHead, _ layout: JSONRows.Layout) -> Bool {
        let names = MemberNames()
        var given = 0
        // If the first line is longer than the head, only its beginning is examined.
        let rows = JSONRows(layout: layout, taker: names) { buffer, offset in
            let count = min(buffer.count - offset, head.bytes.count - given)
            buffer.replaceSubrange(offset..<offset + count, with: head.bytes[given..<given + count])
            given += count
            return count
        }
        try? rows.next()
        return !names.found.isDisjoint(with: marks)
    }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try SubmissionsFile(path: head.path, layout: layout(of: head) ?? .lines, limits: options.limits)
    }

    init(path: String, layout: JSONRows.Layout, limits: TableLimits) throws {
        self.layout = layout
        let outline = SubmissionOutline(path: path, layout: layout, limits: limits)
        try outline.readAll()
        rejectedLines = outline.rejected
        let found = outline.tables
        let listed = found.all.indices.filter { $0 == 0 || found.all[$0].rows > 0 }
        let own = SubmissionLimits(limits)
        guard listed.reduce(0, { $0 + found.width($1) }) <= own.columns else {
            throw TableFailure.tooLarge(Place(file: path), kind: Self.kind, limit: "submissionColumns \(own.columns)")
        }
        tables = listed.map { index in
            var table = ForeignTable(name: found.all[index].name, columns: found.names(index)) {
                try SubmissionRows(path: path, layout: layout, tables: found, table: index, limits: limits)
            }
            table.isRepeat = index > 0
            table.isSparse = true
            return table
        }
    }

    /// Collects the names of the members of the first rows.
    private final class MemberNames: JSONRowHandler {
        /// Names of members found so far.
        private(set) var found: Set<String> = []
        private var depth = 0
        private var lines = 0
        private static let mostLines = 20

        var isFull: Bool { lines >= Self.mostLines }

        func beginRow(_ row: JSONRows.Row) { depth = 0 }

        func take(_ event: JSONEvent, _ bytes: Span<UInt8>) throws(JSONMistake.Reason) {
            switch event {
            case .startObject, .startArray: depth += 1
            case .endObject, .endArray: depth -= 1
            case .key where depth == 0: found.insert(String(utf8: bytes))
            default: break
            }
        }

        func endRow(line: Span<UInt8>) { lines += 1 }
        func take(_ mistake: JSONMistake, line: Span<UInt8>) { lines += 1 }
    }
}

/// Rows of one entity in a JSON file (an array of objects, or an object with arrays by entity name)
/// or an NDJSON file (one object a line).
///
/// The file is read in pieces. A bad line of NDJSON becomes a rejected row, and reading continues.
/// An error in a JSON array ends the import, because what follows may not be rows.
package enum JSONFormat: SourceFormat {
    package static let kind = "json"

    package static func recognises(_ location: SourceLocation) -> Bool {
        guard !location.isDirectory else { return false }
        // After a byte order mark and white space, JSON with rows begins with a bracket.
        let body = location.head.starts(with: [0xEF, 0xBB, 0xBF]) ? location.head.dropFirst(3) : location.head[...]
        guard let first = body.first(where: { !" \t\r\n".utf8.contains($0) }) else { return false }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    package static func open(_ location: SourceLocation, pack: Pack) throws -> any Source {
        let path = location.url.path
        let name = location.options.entity ?? location.url.deletingPathExtension().lastPathComponent
        guard pack.entities.contains(where: { $0.name == name || $0.aliases.contains(name) }) else {
            throw ImportFailure.unknownEntity(
                path: path, name: name, known: pack.entities.filter { !$0.isCore }.map(\.name))
        }
        return try JSONSource(path: path, entity: name, pack: pack, options: location.options, limits: location.limits)
    }
}

/// An opened JSON or NDJSON file.
final class JSONSource: Source {
    let tables: [SourceTable]
    let photos: [SourcePhoto] = []
    let findings: [Finding] = []
    var lastFindings: [Finding] { log?.findings ?? [] }
    let countable: [CountableFile]
    let uses: [ColumnUse]
    private let log: EventLog?

    init(path: String, entity: String, pack: Pack, options: SourceOptions, limits: TableLimits) throws {
        let tally = ReadTally(), use = ColumnUse(file: path, table: entity)
        let head = try FileBytes(path).read(at: 0, 1 << 20)
        let layout = JSONLayout.detect(head, isWhole: try FileBytes(path).count == head.count, limits: limits.json)
        let others = pack.entities.filter { $0.name != entity && !$0.aliases.contains(entity) }.flatMap {
            [$0.name] + $0.aliases
        }
        let table = SourceTable(
            named: entity, file: path, pack: pack, use: use, tally: (tally, isLines: layout == .lines)
        ) {
            let cells = try JSONCells(file: path, layout: layout, notOf: Set(others), limits: limits)
            return EventLog.once(cells, of: entity, pack: pack)
        }
        countable = [
            CountableFile(
                path: path, kind: JSONFormat.kind, isLines: layout == .lines, rejectedLines: { tally.rejected },
                given: { tally.count.map { [$0] } ?? [] })
        ]
        uses = [use]
        log = EventLog([table], pack: pack, options: options)
        tables = log?.tables([table]) ?? [table]
    }
}
