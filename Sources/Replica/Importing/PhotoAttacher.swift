import Databases
import GRDB
import Model

/// A photo whose file is in the store beside the replica.
package struct ImportedPhoto: Sendable, Hashable {
    package var entity: String
    package var id: String
    /// The path that its row is to hold.
    package var localPath: String
    package var sha256: String
    package var bytes: Int64

    package init(entity: String, id: String, localPath: String, sha256: String, bytes: Int64) {
        (self.entity, self.id, self.localPath, self.sha256, self.bytes) = (entity, id, localPath, sha256, bytes)
    }
}

/// Writes the paths of photos' files in this replica's store into their rows. What a row already
/// states about its file is not changed.
final class PhotoAttacher {
    private let db: Database
    private let stamp: Int64
    private var updates: [String: PreparedStatement] = [:]
    /// Photos attached so far.
    private(set) var count = 0

    init(_ db: Database, stamp: Int64) {
        self.db = db
        self.stamp = stamp
    }

    func attach(
        _ importer: EntityImporter, id: String, to row: [MemoryRows.Value], localPath: String, sha256: String, bytes: Int64
    ) throws -> PhotoAttachment {
        let columns = importer.photo
        guard let path = columns.path else { return .noSuchRow }
        let given: [(index: Int, value: MemoryRows.Value)] = [
            columns.sha256.map { ($0, .text(sha256)) }, columns.bytes.map { ($0, .integer(bytes)) },
        ].compactMap(\.self)
        guard given.allSatisfy({ row[$0.index] == .null || row[$0.index] == $0.value }) else { return .otherContent }
        let missing = given.filter { row[$0.index] == .null }
        guard !missing.isEmpty || row[path] != .text(localPath) else { return .unchanged }
        // A file's size is content; its path is not.
        let sets = [(path, MemoryRows.Value.text(localPath))] + missing + (missing.isEmpty ? [] : [(-1, .integer(stamp))])
        let update = try update(importer.entity, sets.map(\.0))
        for (position, set) in sets.enumerated() { try update.bind(set.1, at: position + 1) }
        try update.bind(id, at: sets.count + 1)
        try update.run()
        count += 1
        return .attached
    }

    private func update(_ entity: Entity, _ columns: [Int]) throws -> PreparedStatement {
        let names = columns.map { $0 < 0 ? SystemColumn.contentStamp.rawValue : entity.fields[$0].name }
        let key = ([entity.name] + names).joined(separator: " ")
        if let update = updates[key] { return update }
        let update = try PreparedStatement(
            db, "UPDATE \(SQLText.name(entity.name)) SET \(names.map { SQLText.name($0) + " = ?" }.joined(separator: ", ")) WHERE id = ?")
        updates[key] = update
        return update
    }
}
