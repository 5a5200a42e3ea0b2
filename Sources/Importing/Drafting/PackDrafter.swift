package import Model
import SQLReading

/// Drafts a pack from what describes a system: an XLSForm, statements of SQL, an SQLite database, a
/// workbook or another file with tables.
package struct PackDrafter {
    /// The pack's name.
    let name: String
    /// The language of labels that say none.
    let language: Language
    /// Names of tables that every pack has.
    let reserved: Set<String>

    package init(name: String, language: Language, reserved: Set<String>) {
        (self.name, self.language, self.reserved) = (name, language, reserved)
    }

    private static let mostTables = 200

    /// Throws what reading the file throws, `DraftFailure.nothing` for a file that declares and
    /// holds no table, and `DraftFailure.statements`.
    package func draft(path: String, options: TableOptions) throws -> PackDraft {
        var draft = try read(path, options)
        draft.source = path.split(separator: "/").last.map(String.init) ?? path
        return finished(draft)
    }

    /// A pack from statements that declare tables, of the database that `source` names.
    package func draft(statements: String, source: String) throws -> PackDraft {
        var draft = try read(statements: statements, path: source)
        draft.source = source
        return finished(draft)
    }

    private func finished(_ draft: PackDraft) -> PackDraft {
        var draft = draft
        draft.reserved = reserved
        DraftProjects.settle(&draft)
        return draft
    }

    private func read(statements: String, path: String) throws -> PackDraft {
        do {
            let definition = try DefinitionReader.read(statements)
            guard !definition.tables.isEmpty else { throw DraftFailure.nothing(path: path) }
            return SchemaDraft.draft(definition, name: name, language: language, reserved: reserved)
        } catch let mistake as SQLMistake {
            throw DraftFailure.statements(path: path, reason: mistake.words)
        }
    }

    private func read(_ path: String, _ options: TableOptions) throws -> PackDraft {
        if path.lowercased().hasSuffix(".sql") {
            let bytes = try FileBytes(path)
            guard bytes.count <= SQLTokens.maximumBytes else { throw DraftFailure.statements(path: path, reason: SQLMistake.tooLarge(limit: "\(SQLTokens.maximumBytes >> 20) MiB").words) }
            return try read(statements: String(decoding: bytes.read(at: 0, bytes.count), as: UTF8.self), path: path)
        }
        let file = try TableFiles.openFileOrFolder(path: path, options: options)
        if try XLSFormDraft.isForm(file.tables) {
            let draft = try XLSFormDraft.draft(file.tables, name: name, language: language, reserved: reserved)
            guard draft.tables.contains(where: { !$0.fields.isEmpty }) else { throw DraftFailure.nothing(path: path) }
            return draft
        }
        let visible = file.tables.filter { !$0.isHidden }.prefix(Self.mostTables)
        let samples = try visible.map { try TableSample($0) }
        if let database = file as? SQLiteFile {
            let definition = try DefinitionReader.read(try database.statements())
            let byName = Dictionary(samples.map { ($0.name.lowercased(), $0) }) { first, _ in first }
            var draft = SchemaDraft.draft(definition, samples: byName, name: name, language: language, reserved: reserved)
            draft.accepts = [SQLiteFile.kind]
            return draft
        }
        guard let draft = TablesDraft.draft(samples, kind: file.contentKind, name: name, language: language, reserved: reserved) else {
            throw DraftFailure.nothing(path: path)
        }
        return draft
    }
}
