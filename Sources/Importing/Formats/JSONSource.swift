import Foundation
import JSONReading
package import Model

/// Rows of one entity in a JSON file (an array of objects, or an object with arrays by entity name) or an NDJSON file (one object a line).
///
/// The file is read in pieces; a bad line of NDJSON is a row that cannot go in, and reading goes on; a mistake in a JSON array ends
/// the import, because nothing after it can be trusted to be a row.
package enum JSONFormat: SourceFormat {
    package static let name = "json"

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
        return try JSONSource(path: path, entity: name, pack: pack, options: location.options, limits: location.limits.json)
    }
}

/// An opened JSON or NDJSON file.
final class JSONSource: Source {
    let tables: [SourceTable]
    let photos: [SourcePhoto] = []
    let findings: [Finding]

    init(path: String, entity: String, pack: Pack, options: SourceOptions, limits: JSONLimits) throws {
        let table = SourceTable(name: entity, file: path, statedRows: nil) { body in try Self.forEachRow(ofFile: path, limits: limits, body) }
        let log = try EventLog([table], pack: pack, options: options)
        tables = log?.tables ?? [table]
        findings = log?.findings ?? []
    }

    /// Gives every row of an opened file with its place; `path` names it in places.
    static func forEachRow(of bytes: any ByteSource, path: String, limits: JSONLimits = .standard, _ body: (SourceRow) throws -> Void) throws {
        // A failure of the source itself (a damaged archive) is told as it is, not as a mistake in JSON.
        var failure: (any Error)?
        let rows = JSONRows(limits: limits) { count in
            var buffer = [UInt8](repeating: 0, count: count)
            do {
                let read = try bytes.read(into: &buffer, from: 0)
                return Array(buffer.prefix(read))
            } catch {
                failure = error
                throw error
            }
        }
        do {
            try forEachRow(rows, path: path, body)
        } catch {
            throw failure ?? error
        }
    }

    /// Gives every row of a file with its place. What goes beyond a bound ends the reading. A line that is no row comes as one with a fault, whose value is its text, so that it is kept.
    static func forEachRow(ofFile path: String, limits: JSONLimits = .standard, _ body: (SourceRow) throws -> Void) throws {
        let rows: JSONRows
        do {
            rows = try JSONRows(URL(fileURLWithPath: path), limits: limits)
            rows.keepsText = true
        } catch {
            throw ImportFailure.unreadable(path: path)
        }
        try forEachRow(rows, path: path, body)
    }

    private static func forEachRow(_ rows: JSONRows, path: String, _ body: (SourceRow) throws -> Void) throws {
        do {
            while let item = try rows.next() {
                switch item {
                case .row(let row):
                    try body(SourceRow(value: row.value, raw: row.text, file: path, line: row.line, pointer: row.pointer.isEmpty ? nil : row.pointer))
                case .mistake(let mistake, let line):
                    if let failure = Self.beyond(mistake, path) { throw failure }
                    // What is no UTF-8 becomes U+FFFD: the quarantine keeps texts.
                    let text = String(decoding: line, as: UTF8.self)
                    try body(SourceRow(value: .string(text), fault: "\(mistake.reason)", file: path, line: mistake.line, pointer: nil))
                }
            }
        } catch let mistake as JSONMistake {
            if let failure = Self.beyond(mistake, path) { throw failure }
            throw ImportFailure.brokenFile(Place(file: path, line: mistake.line, column: mistake.column), reason: "\(mistake.reason)")
        }
    }

    /// A mistake that is none of the text's form, but goes beyond a bound.
    private static func beyond(_ mistake: JSONMistake, _ path: String) -> TableFailure? {
        let limit: String
        switch mistake.reason {
        case .tooDeep(let value): limit = "jsonDepth \(value)"
        case .textTooLong(let value): limit = "jsonTextBytes \(value)"
        case .numberTooLong(let value): limit = "jsonNumberLength \(value)"
        case .valueTooLarge(let value): limit = "jsonRowBytes \(value)"
        default: return nil
        }
        return .tooLarge(Place(file: path, line: mistake.line, column: mistake.column), kind: JSONFormat.name, limit: limit)
    }
}
