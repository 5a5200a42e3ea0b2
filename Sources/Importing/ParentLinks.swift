import Model

/// Checks rows that refer to rows of their own table, such as nodes of a tree of documents, as they
/// would be after an import: no row may be reachable from itself. Anything that follows such links
/// later (reports, paths of files) would never end.
///
/// It holds an id and a parent in memory for each row that has a parent, about a hundred bytes a
/// row.
struct ParentLinks {
    /// Looks up the parent of a row that is already in the replica; nil where it has none.
    typealias Lookup = (_ entity: String, _ field: String, _ id: String) throws -> String?

    private struct Link {
        var parent: String
        var place: Place
    }

    private let entity: Entity
    private let field: Field
    private let column: Int
    private var links: [String: Link] = [:]
    /// In the order of the source, so that the same source gives the same message.
    private var order: [String] = []

    /// One instance for each field of an entity that refers to the same entity.
    static func fields(of entity: Entity) -> [ParentLinks] {
        entity.fields.enumerated().filter { $0.element.references == entity.name && $0.element.type != .list }.map {
            ParentLinks(entity: entity, field: $0.element, column: $0.offset)
        }
    }

    private init(entity: Entity, field: Field, column: Int) {
        (self.entity, self.field, self.column) = (entity, field, column)
    }

    mutating func note(_ batch: borrowing ImportedBatch) {
        guard let column = batch.column(ofField: column) else { return }
        for row in 0..<batch.rows.rowCount {
            guard let id = batch.rows.string(row, batch.fields.count - 1), let parent = batch.rows.string(row, column) else { continue }
            // If two rows have the same id, the first one is imported.
            guard links[id] == nil else { continue }
            links[id] = Link(parent: parent, place: batch.place(of: row))
            order.append(id)
        }
    }

    /// Throws `ImportFailure.cycle` where a row refers back to itself, through rows of the source
    /// and of the replica.
    func check(_ lookup: Lookup?) throws {
        var sound: Set<String> = []
        for start in order {
            var path: [String] = []
            var onPath: Set<String> = []
            var next: String? = start
            while let id = next, !sound.contains(id) {
                guard onPath.insert(id).inserted else {
                    let ring = Array(path[(path.firstIndex(of: id) ?? 0)...])
                    let first = ring.first { links[$0] != nil } ?? id
                    throw ImportFailure.cycle(links[first]?.place ?? Place(), entity: entity.name, name: field.name, ring: ring)
                }
                path.append(id)
                next = try links[id]?.parent ?? lookup?(entity.name, field.name, id)
            }
            sound.formUnion(path)
        }
    }
}
