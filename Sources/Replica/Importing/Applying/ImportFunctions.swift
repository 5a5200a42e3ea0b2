import Databases
import Foundation
import GRDB
import GRDBSQLite
import Model

/// The SQL functions that an import's statements need: `fichero_id()`, a new UUIDv7 greater than
/// the last one; `fichero_row_ENTITY(…)`, a new row's values as the JSON of a queue item, in the
/// order of the entity's fields, without those that are NULL; and `fichero_project_ENTITY(parent)`,
/// the project of a row with this parent.
enum ImportFunctions {
    static func json(_ entity: Entity) -> String { SQLText.name("fichero_row_" + entity.name) }

    static func wholeJSON(_ entity: Entity) -> String { SQLText.name("fichero_whole_" + entity.name) }

    /// Registers the functions for rows that Fichero itself changes. `fichero_id()` is the function
    /// that an import uses. `fichero_whole_ENTITY(…)` returns a row's values as the JSON of a queue item, including
    /// those that are NULL.
    static func registerOwn(on db: Database, _ entity: Entity, ids: RisingIDs) {
        guard let handle = unsafe db.sqliteConnection else { return }
        unsafe registerIDs(handle, ids)
        let members = RowMembers(entity.fields.map(\.name))
        unsafe SQLFunctions.addWriter("fichero_whole_" + entity.name, CInt(entity.fields.count), handle) {
            arguments, bytes in
            arguments.appendObject(members, withNulls: true, to: &bytes)
            return true
        }
    }

    private static func registerIDs(_ handle: OpaquePointer, _ ids: RisingIDs) {
        unsafe SQLFunctions.addWriter("fichero_id", 0, handle, isPure: false) { _, bytes in
            ids.appendNext(to: &bytes)
            return true
        }
    }

    /// - Returns: objects that the functions use; retain them while the functions are registered.
    static func register(on db: Database, pack: Pack, ids: RisingIDs) throws -> [ProjectAnswer] {
        guard let handle = unsafe db.sqliteConnection else { return [] }
        var answers: [ProjectAnswer] = []
        unsafe registerIDs(handle, ids)
        // Rules that a transition demands are judged by these statements too.
        if pack.entities.contains(where: { $0.states?.transitions.contains { !$0.require.isEmpty } ?? false }) {
            unsafe SQLFunctions.register(on: handle)
            unsafe SQLFunctions.registerForOffice(on: handle, timeZone: pack.officeZone)
        }
        for entity in pack.entities {
            let members = RowMembers(entity.fields.map(\.name))
            unsafe SQLFunctions.addWriter("fichero_row_" + entity.name, CInt(entity.fields.count), handle) {
                arguments, bytes in
                arguments.appendObject(members, to: &bytes)
                return true
            }
            guard let path = entity.projectPath?.parts, path.count > 1 else { continue }
            let query = RowProject(of: entity, in: pack).expression("t").replacing(
                "t." + SQLText.name(path[0]), with: "?1")
            let answer = ProjectAnswer(try PreparedStatement(db, "SELECT " + query))
            answers.append(answer)
            // The statement must be released before the connection, which keeps this closure alive.
            unsafe SQLFunctions.addWriter("fichero_project_" + entity.name, 1, handle, isPure: false) {
                [weak answer] arguments, bytes in
                answer?.append(arguments, to: &bytes) ?? false
            }
        }
        return answers
    }

    static func project(_ entity: Entity) -> String { SQLText.name("fichero_project_" + entity.name) }

    /// Finds the project of a row's parent. Rows of one parent usually follow each other, so the
    /// last result is cached for the next row.
    final class ProjectAnswer {
        private let query: PreparedStatement
        private var parent: [UInt8] = []
        private var project: [UInt8]?

        init(_ query: PreparedStatement) {
            self.query = query
        }

        fileprivate func append(_ arguments: FunctionArguments, to bytes: inout [UInt8]) -> Bool {
            if parent.isEmpty || !arguments.isText(0, parent) {
                let text = arguments.text(0)
                (parent, project) = (Array((text ?? "").utf8), nil)
                defer { query.reset() }
                guard (try? query.bind(text, at: 1)) != nil, (try? query.step()) == true else { return false }
                project = query.text(0).map { Array($0.utf8) }
            }
            guard let project else { return false }
            bytes.append(contentsOf: project)
            return true
        }
    }
}
