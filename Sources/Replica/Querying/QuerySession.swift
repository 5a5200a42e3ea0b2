// Runs a person's SQL query and returns rows. This folder knows the pack, the actor and the replica
// opened for reading. It creates the views that a query may use; `SQLiteConnection` does everything
// else.
import Databases
package import Foundation
package import Model

/// Runs SQL that a person writes, restricted to data that the actor may see.
///
/// The only tables are temporary views named like the pack's entities: rows of the actor's
/// projects, columns that the role may see. SQLite's authorizer refuses everything else while a
/// query is compiled.
package final class QuerySession {
    let connection: SQLiteConnection
    private let pack: Pack
    private let actor: Actor
    private let bounds: QueryBounds
    private let today: String

    package init(
        path: String, pack: Pack, actor: Actor, timeZone: TimeZone, asOf: Date, bounds: QueryBounds = QueryBounds()
    ) throws {
        (self.pack, self.actor, self.bounds) = (pack, actor, bounds)
        today = OfficeDay.text(of: asOf, in: timeZone)
        connection = try SQLiteConnection(path: path, now: asOf)
        connection.useTexts(of: pack, in: timeZone)
        try connection.execute("BEGIN")
        let projects = try ReadSession.visibleProjects(connection, pack, actor, [])
        let all = try connection.integer("SELECT count(*) FROM \(connection.base).\(SQLText.name(pack.project.entity))")
        let views = ActorViews(pack: pack, role: actor.role, schema: connection.schema)
        for entity in pack.entities {
            try connection.execute(
                views.questioned(entity, projects: projects.count == Int(all) && all > 0 ? nil : projects.map(\.id)))
        }
        try connection.allowReading(tables: Set(pack.entities.map(\.name)), viewsAlsoRead: [])
        try connection.bound(bounds)
    }

    /// Compiles a query; its rows are read on demand, in the query's order. Throws `QueryFailure`
    /// if the query is wrong.
    package func answer(to question: String) throws -> QueryResult {
        guard question.utf8.count <= bounds.questionBytes else {
            throw QueryFailure.tooLarge(limit: "\(bounds.questionBytes) bytes")
        }
        guard !question.utf8.contains(0) else { throw QueryFailure.wrong(reason: "a NUL character") }
        let statement: PreparedStatement
        switch connection.compile(asked: question) {
        case .statement(let compiled): statement = compiled
        case .nothing: throw QueryFailure.empty
        case .several: throw QueryFailure.several
        case .refused: throw QueryFailure.forbidden(known: pack.entities.map(\.name))
        case .tooLarge: throw QueryFailure.tooLarge(limit: "\(QueryBounds.memoryBytes >> 20) MiB")
        case .wrong(let reason): throw words(of: reason, in: question)
        }
        if let other = statement.parameterNames.first(where: { $0 != ":today" }) {
            throw QueryFailure.unknownParameter(other)
        }
        try statement.reset(named: ["today": .text(today)])
        return QueryResult(statement, on: connection, bounds: bounds)
    }

    /// SQLite's message for a mistake as a failure, with a suggestion of the intended name.
    private func words(of reason: String, in question: String) -> QueryFailure {
        func name(after start: String) -> String? {
            reason.hasPrefix(start) ? String(reason.dropFirst(start.count)) : nil
        }
        if let table = name(after: "no such table: ") {
            let known = pack.entities.map(\.name)
            return .unknownTable(table, nearest: Spelling.nearest(to: table, among: known), known: known)
        }
        if let column = name(after: "no such column: ") {
            let entities = entities(in: question)
            let field = (column.split(separator: ".").last.map(String.init) ?? column).lowercased()
            if entities.contains(where: {
                $0.fields.contains { $0.name.lowercased() == field && !pack.isVisible($0, to: actor.role) }
            }) {
                return .hidden(column, role: actor.role.name)
            }
            let known = entities.flatMap { $0.fields.filter { pack.isVisible($0, to: actor.role) }.map(\.name) }
            return .unknownColumn(
                column, nearest: Spelling.nearest(to: field, among: known),
                known: known.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        }
        if let function = name(after: "no such function: ") { return .unknownFunction(function) }
        return .wrong(reason: reason)
    }

    /// The entities whose names occur in a query; all entities if there is none.
    private func entities(in question: String) -> [Entity] {
        let words = Set(question.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
        let named = pack.entities.filter { words.contains($0.name.lowercased()) }
        return named.isEmpty ? pack.entities : named
    }
}

extension ActorViews {
    /// The view of an entity for SQL that a person writes. It has no columns that the role may not
    /// see.
    ///
    /// - Parameter projects: the projects whose rows it shows; nil: all rows, since the actor is a
    ///   member of every project.
    func questioned(_ entity: Entity, projects: [String]?) -> String {
        let columns =
            entity.fields.filter { pack.isVisible($0, to: role) }.map { shown($0, of: entity) } + [
                SystemColumn.syncState.rawValue
            ]
        let rows = "SELECT \(columns.joined(separator: ", ")) FROM \(SQLText.name(schema)).\(SQLText.name(entity.name))"
        var view = "CREATE TEMP VIEW \(SQLText.name(entity.name)) AS " + rows
        if let projects, let condition = condition(entity, in: projects.map(SQLText.literal).joined(separator: ", ")) {
            // The limit prevents SQLite from evaluating the query's conditions first, on rows of
            // projects that the actor cannot see. An error in a condition (such as a number that is
            // too large) would reveal the content of a hidden row.
            view += " WHERE \(condition) LIMIT -1"
        }
        return view
    }
}
