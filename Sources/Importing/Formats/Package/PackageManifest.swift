import Foundation
import JSONReading
import Model

/// `manifest.json` of a package: its files with counts and checksums, and the pack that it is for.
struct PackageManifest: Sendable, Hashable {
    struct Table: Sendable, Hashable {
        var entity: String
        var file: String
        var rows: Int?
        var sha256: String?
    }

    struct Photo: Sendable, Hashable {
        var file: String
        var entity: String
        var id: String
        var sha256: String?
        var bytes: Int64?
    }

    /// Value of the member `format` in every manifest.
    static let format = "fichero-package"
    /// The highest version that this program reads.
    static let knownVersion = 1

    var pack: String
    var packVersion: String?
    /// Creation time in UTC, as the manifest states it.
    var createdAt: String?
    /// In the order in which they are read: parents first.
    var tables: [Table]
    var photos: [Photo]

    init(path: String, bytes: [UInt8]) throws(ImportFailure) {
        let value: JSONValue
        do {
            value = try JSONValue.parse(bytes)
        } catch {
            throw .manifestNotJSON(Place(file: path, line: error.line, column: error.column))
        }
        guard value["format"]?.text == Self.format else {
            throw .invalidManifest(path: path, reason: "`format` is not `\(Self.format)`")
        }
        guard let version = value["formatVersion"]?.integer else {
            throw .invalidManifest(path: path, reason: "`formatVersion` is missing")
        }
        guard version <= Self.knownVersion else {
            throw .newerPackage(path: path, found: String(version), known: String(Self.knownVersion))
        }
        guard let pack = value["pack"]?.text else { throw .invalidManifest(path: path, reason: "`pack` is missing") }
        self.pack = pack
        packVersion = value["packVersion"]?.text
        if let stated = value["createdAt"], stated != .null {
            // Packages are ordered by this time.
            guard let time = stated.text.flatMap({ Timestamp.normalized($0) }) else {
                throw .invalidManifest(path: path, reason: "`createdAt` is no time with a zone")
            }
            createdAt = time
        }
        tables = []
        for item in try Self.items(value, "entities", path) {
            guard let entity = item["entity"]?.text, let file = item["file"]?.text else {
                throw .invalidManifest(path: path, reason: "an item of `entities` lacks `entity` or `file`")
            }
            tables.append(
                Table(
                    entity: entity, file: file, rows: item["rows"]?.integer.map(Int.init), sha256: item["sha256"]?.text)
            )
        }
        photos = []
        for item in try Self.items(value, "photos", path) {
            guard let file = item["file"]?.text, let entity = item["entity"]?.text, let id = item["id"]?.text else {
                throw .invalidManifest(path: path, reason: "an item of `photos` lacks `file`, `entity` or `id`")
            }
            photos.append(
                Photo(file: file, entity: entity, id: id, sha256: item["sha256"]?.text, bytes: item["bytes"]?.integer))
        }
    }

    private static func items(_ value: JSONValue, _ name: String, _ path: String) throws(ImportFailure) -> [JSONValue] {
        guard let member = value[name] else { return [] }
        guard case .array(let items) = member else {
            throw .invalidManifest(path: path, reason: "`\(name)` is no list")
        }
        return items
    }
}

extension JSONValue {
    /// The value of a JSON integer, nil for anything else.
    var integer: Int64? {
        if case .number(let digits) = self { return Int64(digits) }
        return nil
    }
}
