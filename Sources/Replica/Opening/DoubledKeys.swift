import GRDB
import Model

/// People of one address and projects of one key, which could not be told apart: whoever has such an
/// address cannot work. No command makes them; another program may have written them.
struct DoubledKeys {
    let db: Database
    let pack: Pack

    func check() throws -> DoctorCheck {
        let people = pack.entity("profiles").map { ($0, ["email"]) }
        let projects = pack.entity(pack.project.entity).map { ($0, $0.key) }
        let found = try [people, projects].compactMap(\.self).filter { !$0.1.isEmpty }.flatMap { try doubled($0, $1) }
        let arguments = ["count": String(found.count), "rows": found.prefix(5).joined(separator: "; ")]
        return DoctorCheck("REPLICA-KEYS", found.isEmpty ? .ok : .error, arguments)
    }

    /// The ids of the rows of each doubled key, never its values: an address is personal.
    private func doubled(_ entity: Entity, _ key: [String]) throws -> [String] {
        guard try db.tableExists(entity.name) else { return [] }
        // Mail addresses are compared without regard to case, names in one form.
        let forms = key.map { field -> String in
            let name = SQLText.name(field)
            if field == "email" { return "lower(\(name))" }
            return field == entity.keyText?.name ? "coalesce(\(KeyText.column), \(name))" : name
        }
        return try String.fetchAll(
            db,
            sql: """
                SELECT group_concat(id, ', ') FROM main.\(SQLText.name(entity.name))
                WHERE \(forms.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
                GROUP BY \(forms.joined(separator: ", ")) HAVING count(*) > 1 ORDER BY 1
                """
        ).map { "\(entity.name) \($0)" }
    }
}
