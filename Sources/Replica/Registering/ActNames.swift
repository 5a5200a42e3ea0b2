import GRDB
import JSONReading
import Model

/// The names of people and rows in acts, as far as the reader may see them.
final class ActNames {
    private let db: Database
    private let pack: Pack
    private let reader: Model.Actor
    private let projects: Set<String>
    private var people: [String: String] = [:]

    init(_ db: Database, pack: Pack, reader: Model.Actor, projects: Set<String>) {
        (self.db, self.pack, self.reader, self.projects) = (db, pack, reader, projects)
    }

    /// The name of a person, or the address, or the end of the id; nil: Fichero itself.
    func person(_ id: String?) throws -> String? {
        guard let id else { return nil }
        if let known = people[id] { return known }
        let row = try Row.fetchOne(db, sql: "SELECT full_name, email FROM main.profiles WHERE id = ?", arguments: [id])
        let values: [String?] = row.map { [$0[0], $0[1]] } ?? []
        let seen = zip(["full_name", "email"], values).compactMap { field, value in
            pack.isVisible(field, of: "profiles", to: reader.role) ? value : nil
        }
        let name = seen.first { !$0.isEmpty } ?? "…" + id.suffix(8)
        people[id] = name
        return name
    }

    /// The code of a project.
    func project(_ id: String?) throws -> String? {
        guard let id, pack.isVisible(pack.project.code, of: pack.project.entity, to: reader.role) else { return nil }
        return try String.fetchOne(
            db,
            sql: """
                SELECT \(SQLText.name(pack.project.code)) FROM main.\(SQLText.name(pack.project.entity)) WHERE id = ?
                """, arguments: [id])
    }

    /// The name of a row of one of the reader's projects, or of no project; nil: it has none.
    func name(of entity: Entity, id: String) throws -> String? {
        if entity.name == "profiles" { return try person(id) }
        if entity.name == "project_members" { return try member(id) }
        guard entity.key.allSatisfy({ $0 != "id" && entity.field($0)?.references == nil }), isNamed(entity) else {
            return nil
        }
        if entity.projectPath != nil, let own = try RowProject(of: entity, in: pack).id(ofRow: id, db),
            !projects.contains(own)
        {
            return nil
        }
        return try EntityRows.name(of: id, entity, pack: pack, db)
    }

    private func member(_ id: String) throws -> String? {
        let row = try Row.fetchOne(
            db, sql: "SELECT project_id, profile_id FROM main.project_members WHERE id = ?", arguments: [id])
        guard let row else { return nil }
        return try [project(row[0]), person(row[1])].compactMap(\.self).joined(separator: Pack.nameSeparator)
    }

    private func isNamed(_ entity: Entity) -> Bool {
        pack.namePaths(of: entity).allSatisfy { path in
            pack.field(at: path, from: entity).map { reader.sees($0, of: pack) } ?? true
        }
    }

    /// The name of a row that was deleted, from its values: its key, after its record's name.
    ///
    /// - Parameter stated: the values in the log entry; nil: those that the deletion kept.
    func name(ofGone id: String, _ stated: JSONValue?, _ entity: Entity) throws -> String? {
        guard isNamed(entity), let values = try stated ?? removed(id, entity) else { return nil }
        let own = entity.key.compactMap { entity.field($0) }.filter {
            $0.references == nil && $0.name != "id" && pack.mayQuote($0)
        }.compactMap { values[$0.name]?.stated }
        guard !own.isEmpty else { return nil }
        let owner = try entity.keyScope.flatMap { entity.field($0) }.flatMap { scope in
            try name(of: values[scope.name]?.stated, in: scope)
        }
        return ([owner].compactMap(\.self) + own).joined(separator: Pack.nameSeparator)
    }

    private func removed(_ id: String, _ entity: Entity) throws -> JSONValue? {
        try String.fetchOne(
            db, sql: "SELECT row FROM main.import_removals WHERE entity = ? AND row_id = ?",
            arguments: [entity.name, id]
        ).flatMap { try? JSONValue.stored($0) }
    }

    /// The name of the row to which a reference leads; nil: the field is no reference.
    func name(of value: String?, in field: Field) throws -> String? {
        guard let value, field.type != .list, let target = field.references.flatMap({ pack.entity($0) }) else {
            return nil
        }
        return try name(of: target, id: value) ?? "…" + value.suffix(8)
    }
}
