import Foundation
import JSONReading
package import Model

/// Rows of one entity in a JSON file (an array of objects, or an object with arrays by entity name) or an NDJSON file (one object a line).
///
/// The file is read in pieces; a bad line of NDJSON is a row that cannot go in, and reading goes on; a mistake in a JSON array ends
/// the import, because nothing after it can be trusted to be a row.
package enum JSONFormat: SourceFormat {
    package static let kind = "json"

    package static func recognises(_ location: SourceLocation) -> Bool {
        guard !location.isDirectory else { return false }
        // After a byte-order mark and white space, JSON of rows starts with a bracket.
        let body = location.head.starts(with: [0xEF, 0xBB, 0xBF]) ? location.head.dropFirst(3) : location.head[...]
        guard let first = body.first(where: { !" \t\r\n".utf8.contains($0) }) else { return false }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    package static func open(_ location: SourceLocation, pack: Pack) throws -> any Source {
        let path = location.url.path
        let name = location.options.entity ?? location.url.deletingPathExtension().lastPathComponent
        guard pack.entities.contains(where: { $0.name == name || $0.aliases.contains(name) }) else {
            throw ImportFailure.unknownEntity(path: path, name: name, known: pack.entities.filter { !$0.isCore }.map(\.name))
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
        let others = pack.entities.filter { $0.name != entity && !$0.aliases.contains(entity) }.flatMap { [$0.name] + $0.aliases }
        let table = SourceTable(named: entity, file: path, pack: pack, use: use, tally: (tally, isLines: layout == .lines)) {
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
