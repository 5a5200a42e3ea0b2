import Foundation
package import Importing
package import Model
import SQLReading

/// Drafts a pack from a description of a system: an XLSForm, statements of SQL, an SQLite database,
/// a workbook or another file with tables.
package struct PackDrafter {
    /// The pack's name.
    let name: String
    /// The language of labels for which the source gives no language.
    let language: Language
    /// Names of tables that every pack has; the draft cannot use them.
    let reserved: Set<String>

    package init(name: String, language: Language, reserved: Set<String>) {
        (self.name, self.language, self.reserved) = (name, language, reserved)
    }

    private static let mostTables = 200

    /// Throws the errors of reading the file, `DraftFailure.nothing` for a file that neither
    /// declares nor contains a table, and `DraftFailure.statements`.
    package func draft(path: String, options: TableOptions) throws -> PackDraft {
        var draft = try read(path, options)
        draft.source = path.split(separator: "/").last.map(String.init) ?? path
        return try finished(draft)
    }

    /// Drafts a pack from statements that declare tables; `source` names their database.
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
            guard definition.tables.count <= Self.mostTables else {
                throw DraftFailure.statements(path: path, reason: "more than \(Self.mostTables) tables")
            }
            return SchemaDraft.draft(definition, name: name, language: language, reserved: reserved)
        } catch let mistake as SQLMistake {
            throw DraftFailure.statements(path: path, reason: mistake.words)
        }
    }

    private func read(_ path: String, _ options: TableOptions) throws -> PackDraft {
        if path.lowercased().hasSuffix(".sql") {
            let bytes = try FileBytes(path)
            guard bytes.count <= SQLTokens.maximumBytes else {
                throw DraftFailure.statements(
                    path: path, reason: SQLMistake.tooLarge(limit: "\(SQLTokens.maximumBytes >> 20) MiB").words)
            }
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
        guard visible.count <= Self.mostTables else {
            throw DraftFailure.statements(path: path, reason: "more than \(Self.mostTables) tables")
        }
        let samples = try visible.map { table in
            let heading = try Self.heading(table)
            return try TableSample(table) { heading.contains($0) }
        }
        if let database = file as? SQLiteFile {
            let definition = try DefinitionReader.read(try database.statements())
            let byName = Dictionary(samples.map { ($0.name.lowercased(), $0) }) { first, _ in first }
            var draft = SchemaDraft.draft(
                definition, samples: byName, name: name, language: language, reserved: reserved)
            draft.accepts = [SQLiteFile.kind]
            return draft
        }
        guard
            var draft = TablesDraft.draft(
                samples, kind: file.contentKind, name: name, language: language, reserved: reserved)
        else {
            throw DraftFailure.nothing(path: path)
        }
        let hidden = file.tables.filter(\.isHidden).map(\.name)
        if !hidden.isEmpty { draft.notes.append(DraftNote("left_out", ["names": hidden.joined(separator: ", ")])) }
        return draft
    }

    /// Decodes UTF-8 or, with a byte order mark, UTF-16, which SQL Server's tools write.
    private static func text(_ bytes: [UInt8]) -> String {
        guard bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let isLittle = bytes[0] == 0xFF
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0 + (isLittle ? 1 : 0)]) << 8 | UInt16(bytes[$0 + (isLittle ? 0 : 1)])
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// The texts of the first row that is as wide as the table, if the row looks like a heading: it
    /// has only texts and no number. A text may occur twice.
    private static func heading(_ table: ForeignTable) throws -> Set<String> {
        guard table.columns == nil else { return [] }
        var batch = ForeignBatch()
        try table.open().fill(&batch)
        let rows = 0..<min(batch.rowCount, 30)
        func filled(_ row: Int) -> [Int] { (0..<batch.width(row)).filter { batch.cell(row, $0).kind != .empty } }
        let widest = rows.map { filled($0).count }.max() ?? 0
        guard widest > 1, let row = rows.first(where: { filled($0).count == widest }),
            filled(row).allSatisfy({ batch.cell(row, $0).kind == .text })
        else { return [] }
        let texts = filled(row).compactMap { batch.string(row, $0) }
        let isData = texts.contains { $0.wholeMatch(of: /\s*-?[0-9]+([.,][0-9]+)?\s*/) != nil }
        return isData ? [] : Set(texts)
    }
}

/// Removes from a draft everything beyond the limits of a pack, with comments about the omissions.
enum DraftSize {
    /// Fewer than `EntityCheck` allows, because a reference to the project may be added to the
    /// fields.
    private static let mostFields = 110
    private static let longestWord = 200

    static func settle(_ draft: inout PackDraft) {
        for index in draft.tables.indices where draft.tables[index].fields.count > mostFields {
            let rest = draft.tables[index].fields[mostFields...]
            draft.tables[index].notes.append(
                DraftNote(
                    "left_out", ["names": rest.map { $0.source.isEmpty ? $0.name : $0.source }.joined(separator: ", ")])
            )
            let kept = Set(draft.tables[index].fields[..<mostFields].map(\.name))
            draft.tables[index].fields.removeLast(rest.count)
            draft.tables[index].rules.removeAll { rule in !rule.arguments.allSatisfy(kept.contains) }
            for place in draft.tables[index].readings.indices {
                draft.tables[index].readings[place].key.removeAll { !kept.contains($0) }
            }
            draft.tables[index].key.removeAll { $0 != "id" && !kept.contains($0) }
            if draft.tables[index].key.isEmpty { draft.tables[index].key = ["id"] }
        }
        for index in draft.vocabularies.indices {
            let odd = draft.vocabularies[index].values.filter {
                !isWord($0.name) || $0.alias.map { !isWord($0) } == true
            }
            guard !odd.isEmpty else { continue }
            draft.vocabularies[index].values.removeAll { !isWord($0.name) || $0.alias.map { !isWord($0) } == true }
            draft.vocabularies[index].notes.append(
                DraftNote("left_out", ["names": odd.map { String($0.name.prefix(60)) }.joined(separator: ", ")]))
            if draft.vocabularies[index].values.isEmpty { draft.vocabularies[index].values = [.init(name: "other")] }
        }
    }

    /// Whether a value can be a key of the pack's texts.
    private static func isWord(_ text: String) -> Bool {
        (1...longestWord).contains(text.count)
            && !text.unicodeScalars.contains {
                CharacterSet.controlCharacters.contains($0) || CharacterSet.newlines.contains($0) || $0.value == 0xFEFF
            }
    }
}

/// Removes from a draft everything that a pack would reject: rules that compare incompatible
/// values, and limits that no value can fulfil. Each removed rule or limit becomes a comment.
enum DraftRules {
    static func settle(_ draft: inout PackDraft) {
        // A table's conditions use only fields of that table.
        let pack = Pack(.keys([]), fingerprint: "", directory: URL(fileURLWithPath: "/"))
        for index in draft.tables.indices {
            let columns = draft.tables[index].fields.map {
                ImportMapping.Column(name: $0.name, type: $0.type, headings: [])
            }
            let entity = ImportMapping.Column.entity(
                columns + [ImportMapping.Column(name: "id", type: .uuid, headings: [])])
            func isSound(_ text: String) -> Bool {
                guard let expression = try? ExpressionParser.parse(text) else { return false }
                return ExpressionCheck.mistakes(inCondition: expression, over: entity, of: pack, knowsDay: true).isEmpty
            }
            for rule in draft.tables[index].rules where !isSound(rule.requirement) {
                draft.tables[index].notes.append(DraftNote("constraint", ["text": rule.requirement]))
            }
            draft.tables[index].rules.removeAll { !isSound($0.requirement) }
            for place in draft.tables[index].fields.indices {
                let field = draft.tables[index].fields[place]
                if let condition = field.requiredWhen, !isSound(condition) {
                    draft.tables[index].fields[place].requiredWhen = nil
                    draft.tables[index].fields[place].notes.append(DraftNote("required", ["text": condition]))
                }
                if let least = field.minimum, let most = field.maximum, least > most {
                    (draft.tables[index].fields[place].minimum, draft.tables[index].fields[place].maximum) = (nil, nil)
                    draft.tables[index].fields[place].notes.append(
                        DraftNote("constraint", ["text": "\(least) … \(most)"]))
                }
                if let least = field.minimumLength, let most = field.maximumLength, least > most {
                    (draft.tables[index].fields[place].minimumLength, draft.tables[index].fields[place].maximumLength) =
                        (nil, nil)
                    draft.tables[index].fields[place].notes.append(
                        DraftNote("constraint", ["text": "\(least) … \(most)"]))
                }
            }
        }
    }
}

/// Reason why no pack can be drafted from a source.
package typealias DraftFailure = DeclaredFailure<PackDrafter>

extension DraftFailure {
    /// The source neither declares nor contains a table.
    package static func nothing(path: String) -> Self { Self("DRAFT-NOTHING", .badInput, file: path) }
    /// Statements that cannot be read.
    package static func statements(path: String, reason: String) -> Self {
        Self("DRAFT-STATEMENTS", .badInput, file: path, ["reason": reason])
    }
    /// A pack of that name already exists.
    package static func exists(path: String) -> Self { Self("DRAFT-EXISTS", .cannotCreateOutput, ["path": path]) }
    /// The drafted pack is invalid: an error of the program.
    package static func unsound(mistake: String) -> Self { Self("DRAFT-UNSOUND", .internalError, ["mistake": mistake]) }
}
