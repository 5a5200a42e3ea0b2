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
        return try finished(draft)
    }

    /// A pack from statements that declare tables, of the database that `source` names.
    package func draft(statements: String, source: String) throws -> PackDraft {
        var draft = try read(statements: statements, path: source)
        draft.source = source
        return try finished(draft)
    }

    private func finished(_ draft: PackDraft) throws -> PackDraft {
        var draft = draft
        draft.reserved = reserved
        guard !draft.tables.isEmpty else { throw DraftFailure.nothing(path: draft.source) }
        DraftSize.settle(&draft)
        DraftProjects.settle(&draft)
        DraftRules.settle(&draft)
        return draft
    }

    private func read(statements: String, path: String) throws -> PackDraft {
        do {
            let definition = try DefinitionReader.read(statements)
            guard !definition.tables.isEmpty else { throw DraftFailure.nothing(path: path) }
            guard definition.tables.count <= Self.mostTables else { throw DraftFailure.statements(path: path, reason: "more than \(Self.mostTables) tables") }
            return SchemaDraft.draft(definition, name: name, language: language, reserved: reserved)
        } catch let mistake as SQLMistake {
            throw DraftFailure.statements(path: path, reason: mistake.words)
        }
    }

    private func read(_ path: String, _ options: TableOptions) throws -> PackDraft {
        if path.lowercased().hasSuffix(".sql") {
            let bytes = try FileBytes(path)
            guard bytes.count <= SQLTokens.maximumBytes else { throw DraftFailure.statements(path: path, reason: SQLMistake.tooLarge(limit: "\(SQLTokens.maximumBytes >> 20) MiB").words) }
            return try read(statements: Self.text(bytes.read(at: 0, bytes.count)), path: path)
        }
        let file = try TableFiles.openFileOrFolder(path: path, options: options)
        try TableFiles.refuseLinesOfJSON(path: path, kind: file.contentKind, mapping: name)
        if try XLSFormDraft.isForm(file.tables) {
            let draft = try XLSFormDraft.draft(file.tables, name: name, language: language, reserved: reserved)
            guard draft.tables.contains(where: { !$0.fields.isEmpty }) else { throw DraftFailure.nothing(path: path) }
            return draft
        }
        let visible = file.tables.filter { !$0.isHidden }
        guard visible.count <= Self.mostTables else { throw DraftFailure.statements(path: path, reason: "more than \(Self.mostTables) tables") }
        let samples = try visible.map { table in
            let heading = try Self.heading(table)
            return try TableSample(table) { heading.contains($0) }
        }
        if let database = file as? SQLiteFile {
            let definition = try DefinitionReader.read(try database.statements())
            let byName = Dictionary(samples.map { ($0.name.lowercased(), $0) }) { first, _ in first }
            var draft = SchemaDraft.draft(definition, samples: byName, name: name, language: language, reserved: reserved)
            draft.accepts = [SQLiteFile.kind]
            return draft
        }
        guard var draft = TablesDraft.draft(samples, kind: file.contentKind, name: name, language: language, reserved: reserved) else {
            throw DraftFailure.nothing(path: path)
        }
        let hidden = file.tables.filter(\.isHidden).map(\.name)
        if !hidden.isEmpty { draft.notes.append(DraftNote("left_out", ["names": hidden.joined(separator: ", ")])) }
        return draft
    }

    /// Statements as UTF-8 or, with its mark, as UTF-16, which SQL Server's tools write.
    private static func text(_ bytes: [UInt8]) -> String {
        guard bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) else { return String(decoding: bytes, as: UTF8.self) }
        let isLittle = bytes[0] == 0xFF
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0 + (isLittle ? 1 : 0)]) << 8 | UInt16(bytes[$0 + (isLittle ? 0 : 1)]) }
        return String(decoding: units, as: UTF16.self)
    }

    /// The texts of the first row that is as wide as the table and has nothing but texts: a heading,
    /// also where a word stands in it twice.
    private static func heading(_ table: ForeignTable) throws -> Set<String> {
        guard table.columns == nil else { return [] }
        var batch = ForeignBatch()
        try table.open().fill(&batch)
        let rows = 0..<min(batch.rowCount, 30)
        func filled(_ row: Int) -> [Int] { (0..<batch.width(row)).filter { batch.cell(row, $0).kind != .empty } }
        let widest = rows.map { filled($0).count }.max() ?? 0
        guard widest > 1, let row = rows.first(where: { filled($0).count == widest }), filled(row).allSatisfy({ batch.cell(row, $0).kind == .text }) else { return [] }
        let texts = filled(row).compactMap { batch.string(row, $0) }
        let isData = texts.contains { $0.wholeMatch(of: /\s*-?[0-9]+([.,][0-9]+)?\s*/) != nil }
        return isData ? [] : Set(texts)
    }
}
