import Model

/// The joins from one entity to the ends of dotted paths: common prefixes are joined once. The
/// entity itself is `t0`.
struct PathJoins {
    let pack: Pack
    let root: Entity
    private var aliases: [String: (alias: String, entity: Entity)] = [:]
    private(set) var clauses: [String] = []
    private var count = 0

    static let rootAlias = "t0"

    init(from root: Entity, pack: Pack) {
        self.pack = pack
        self.root = root
        aliases[""] = (Self.rootAlias, root)
    }

    /// Declares that the row at the end of a path of references is already joined, under an alias
    /// chosen by the caller.
    mutating func seed(_ references: [String], alias: String, entity: Entity) {
        aliases[references.map { "." + $0 }.joined()] = (alias, entity)
    }

    /// SQL after FROM for the rows of another entity that belong to the root's row. These are rows
    /// whose references lead to that row, or rows whose ids are in its list field.
    func counted(_ name: String, by path: FieldPath) -> String {
        guard let counted = pack.entity(name), pack.field(at: path, from: counted) != nil else {
            return
                """
                \(ReadSession.items(of: "t0." + SQLText.name(path.description))) AS j JOIN \(SQLText.name(name)) AS k \
                ON k.id = j.value
                """
        }
        return
            "\(SQLText.name(name)) AS k WHERE \(ReferenceSQL(path, from: counted, in: pack).condition("k", "= t0.id"))"
    }

    /// SQL for the value at the end of a path; adds the necessary joins.
    mutating func column(_ path: FieldPath) -> String {
        let owner = alias(of: path.parts.dropLast())
        return owner.alias + "." + SQLText.name(path.parts.last ?? "id")
    }

    /// The alias of the row that a path of references leads to.
    mutating func alias(of references: some Collection<String>) -> (alias: String, entity: Entity) {
        var key = ""
        var current = aliases[""] ?? (Self.rootAlias, root)
        for part in references {
            key += "." + part
            if let known = aliases[key] {
                current = known
                continue
            }
            guard let target = current.entity.field(part)?.references, let next = pack.entity(target) else {
                return current
            }
            count += 1
            let alias = "t\(count)"
            clauses.append(
                """
                LEFT JOIN \(SQLText.name(next.name)) AS \(alias) ON \(alias).id = \
                \(current.alias).\(SQLText.name(part))
                """
            )
            current = (alias, next)
            aliases[key] = current
        }
        return current
    }

    /// SQL for the value at the end of a path, with a subquery for each reference. A join would
    /// read every row of a view that combines committed and changed rows.
    static func lookedUp(_ path: FieldPath, from root: Entity, in pack: Pack) -> String {
        var (owner, value) = (Optional(root), "")
        for part in path.parts {
            let column = SQLText.name(part), table = SQLText.name(owner?.name ?? "")
            value = value.isEmpty ? "\(rootAlias).\(column)" : "(SELECT \(column) FROM \(table) WHERE id = \(value))"
            owner = owner?.field(part)?.references.flatMap { pack.entity($0) }
        }
        return value
    }

    var sql: String { clauses.isEmpty ? "" : " " + clauses.joined(separator: " ") }
}
