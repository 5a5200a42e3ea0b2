// Long file: the tables of a database become a pack, step by step.

import Foundation
import Importing
import Model
import SQLReading

/// Drafts a pack from a database's schema; lists of texts become vocabularies.
struct SchemaDraft {
    private let definition: DatabaseDefinition
    private let samples: [String: TableSample]
    private var draft: PackDraft
    private var entityNames: [String: String] = [:]
    private var codes = DraftNames(reserved: [])

    /// Names of tables that programs use internally.
    private static var inner: Regex<(Substring, Substring?, Substring?, Substring?)> {
        #/
            (sqlite|gpkg|rtree|idx|pg|flyway|knex|alembic|django|_prisma|spatial_ref)_.*|_.*|.*schema_migrations?
            |android_metadata|room_master_table|z_(metadata|primarykey|modelcache)|geometry_columns|.*_fts(_.*)?
        /#
    }

    /// - Parameter samples: the first rows of the tables, by name in lower case; empty if only the
    ///   schema is known.
    static func draft(
        _ definition: DatabaseDefinition, samples: [String: TableSample] = [:], name: String, language: Language,
        reserved: Set<String>
    ) -> PackDraft {
        var reader = SchemaDraft(definition, samples, name, language)
        reader.read(reserved)
        return reader.draft
    }

    private init(
        _ definition: DatabaseDefinition, _ samples: [String: TableSample], _ name: String, _ language: Language
    ) {
        (self.definition, self.samples) = (definition, samples)
        draft = PackDraft(name: name, languages: [language])
        draft.title = [language: DraftNames.label(name)]
    }

    private mutating func read(_ reserved: Set<String>) {
        let samples = samples
        // In a database file, only visible tables are used.
        let isInner: (TableDefinition) -> Bool = { table in
            table.name.lowercased().wholeMatch(of: Self.inner) != nil || table.columns.isEmpty
                || table.name.allSatisfy(\.isWhitespace)
                || (!samples.isEmpty && samples[table.name.lowercased()] == nil)
        }
        let left = (definition.tables.filter(isInner).map(\.name) + definition.others).filter {
            !$0.hasPrefix("sqlite_")
        }
        if !left.isEmpty { draft.notes.append(DraftNote("left_out", ["names": left.joined(separator: ", ")])) }
        var names = DraftNames(reserved: reserved)
        let tables = Self.ordered(definition.tables.filter { !isInner($0) })
        for table in tables { entityNames[table.name.lowercased()] = names.name(table.name, other: "records") }
        for table in tables { add(table, others: tables) }
    }

    /// The tables, parents first; tables in a cycle of references keep the order of the statements.
    private static func ordered(_ tables: [TableDefinition]) -> [TableDefinition] {
        var done: [TableDefinition] = [], rest = tables
        while !rest.isEmpty {
            let waiting = Set(rest.map { $0.name.lowercased() })
            let next = rest.firstIndex { table in
                table.references.allSatisfy {
                    $0.table.lowercased() == table.name.lowercased() || !waiting.contains($0.table.lowercased())
                }
            }
            done.append(rest.remove(at: next ?? 0))
        }
        return done
    }

    // MARK: Tables

    /// The columns that identify a table's rows.
    private enum Identity {
        /// One column with a UUID.
        case uuid(String)
        /// One column with something else: a number, a code.
        case column(String)
        case columns([String])
        case none
    }

    private func identity(_ table: TableDefinition) -> Identity {
        if table.primaryKey.count == 1, let column = table.column(table.primaryKey[0]) {
            return type(of: column, in: table).type == .uuid ? .uuid(column.name) : .column(column.name)
        }
        if table.primaryKey.count > 1 { return .columns(table.primaryKey) }
        if let unique = table.columns.first(where: \.isUnique) { return .column(unique.name) }
        return table.uniques.first.map { .columns($0) } ?? .none
    }

    private mutating func add(_ definition: TableDefinition, others: [TableDefinition]) {
        var table = DraftTable(entityNames[definition.name.lowercased()] ?? "", source: definition.name)
        let language = draft.languages[0]
        if let comment = definition.comment { table.labels = [language: DraftNames.cleaned(comment)] }
        var reading = DraftTable.RowOrigin(table: definition.name)
        var names = DraftNames(reserved: DraftNames.reservedFields)
        let identity = identity(definition)
        for column in definition.columns where !column.name.allSatisfy(\.isWhitespace) {
            if case .uuid(let id) = identity, id == column.name {
                table.idReading = SuggestedYAML.quoted(column.name)
                continue
            }
            let reference = definition.references.first {
                $0.columns.map { $0.lowercased() } == [column.name.lowercased()]
                    && entityNames[$0.table.lowercased()] != nil
            }
            guard var field = field(column, of: definition, reference, &names, table: &table) else { continue }
            if let comment = column.comment { field.labels = [language: DraftNames.cleaned(comment)] }
            field.isRequired = column.isRequired
            field.isUnique =
                column.isUnique
                || definition.uniques.contains { $0.map { $0.lowercased() } == [column.name.lowercased()] }
            field.isPersonal = DraftNames.isPersonal(column.name)
            table.fields.append(field)
        }
        for reference in definition.references where reference.columns.count > 1 {
            table.notes.append(
                DraftNote(
                    "composite", ["columns": reference.columns.joined(separator: ", "), "table": reference.table]))
        }
        readChecks(definition, &table)
        chooseParent(definition, &table)
        setKey(identity, definition, &table, &reading)
        table.readings = reading.key.isEmpty && table.idReading == nil ? [] : [reading]
        // A row may refer to another row of its table. That table's key is known only at this
        // point.
        for index in table.fields.indices where table.fields[index].references == table.name {
            table.fields[index].reading = link(to: table, SuggestedYAML.quoted(table.fields[index].source), depth: 0)
            // The reference must be optional, because the first row has no other row to refer to.
            if table.fields[index].isRequired {
                table.fields[index].isRequired = false
                table.fields[index].notes.append(DraftNote("self"))
            }
        }
        for index in table.fields.indices where table.fields[index].reading == nil {
            table.fields[index].notes.append(DraftNote("link", ["table": table.fields[index].references ?? ""]))
        }
        draft.tables.append(table)
    }

    private mutating func field(
        _ column: TableDefinition.Column, of definition: TableDefinition, _ reference: TableDefinition.Reference?,
        _ names: inout DraftNames, table: inout DraftTable
    ) -> DraftField? {
        if column.isGenerated {
            table.notes.append(DraftNote("computed", ["column": column.name]))
            return nil
        }
        // `id` is reserved for the pack.
        let own = DraftNames.plain(column.name) == "id" ? "original_id" : column.name
        var field = DraftField(names.name(own, other: "field"), .text, source: column.name)
        if let reference,
            let target = draft.table(entityNames[reference.table.lowercased()] ?? "")
                ?? (reference.table.lowercased() == definition.name.lowercased() ? table : nil)
        {
            (field.type, field.references, field.deletesWithParent) = (
                .uuid, target.name, reference.isCascading && column.isRequired
            )
            field.reading = link(to: target, SuggestedYAML.quoted(column.name), depth: 0)
            if own != field.name { field.synonyms = [column.name] }
            return field
        }
        let found = type(of: column, in: definition)
        guard let type = found.type else {
            table.notes.append(DraftNote("blob", ["column": column.name]))
            return nil
        }
        field.type = type
        field.maximumLength =
            type == .text ? column.sizes.first.flatMap { (1...1_000_000).contains($0) ? $0 : nil } : nil
        if type == .decimal, column.sizes.count == 2 {
            field.decimals = min(max(column.sizes[1], 0), 15)
        }
        field.reading = SampledColumn.reading(column.name, found.conversions)
        if let values = self.definition.enumerations[column.type], !values.isEmpty {
            addVocabulary(values, for: &field, called: column.type, isList: column.isArray)
        } else if let note = found.note {
            field.notes.append(note)
        }
        if field.name != column.name { field.synonyms = [column.name] }
        return field
    }

    // MARK: Types

    private static let whole: Set<String> = [
        "int", "integer", "bigint", "smallint", "tinyint", "mediumint", "int2", "int4", "int8", "serial", "bigserial",
        "smallserial", "year",
    ]
    /// With one size, or with zero decimals, these types are whole numbers; else decimals.
    private static let exact: Set<String> = ["numeric", "decimal", "dec", "number"]
    private static let inexact: Set<String> = ["real", "float", "float4", "float8", "double", "money"]

    private func type(of column: TableDefinition.Column, in table: TableDefinition) -> (
        type: FieldType?, conversions: [CellConversion], note: DraftNote?
    ) {
        let sampled = sample(column, table)
        let words = column.type
        func has(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
        if column.isArray { return (.json, [], DraftNote("array", ["type": words + "[]"])) }
        if definition.enumerations[words] != nil { return (.text, [], nil) }
        if has("uuid", "uniqueidentifier") { return (.uuid, [], nil) }
        if has("json") { return (.json, [], nil) }
        if has("bool") { return (.boolean, [], nil) }
        if has("bytea", "blob", "binary") || (words.isEmpty && sampled == nil) {
            // Bytes are read only if they are UUIDs; a column without a type is read as text.
            return (sampled?.isUUID == true ? .uuid : words.isEmpty ? .text : nil, [], nil)
        }
        if has("timestamp", "datetime") || words == "date" || words == "time" || words.hasPrefix("time ") {
            return typeOfTime(words, sampled)
        }
        let parts = Set(words.split(separator: " ").map(String.init))
        if !parts.isDisjoint(with: Self.whole) {
            return (.integer, [], sampled?.seconds == nil ? nil : DraftNote("seconds"))
        }
        if !parts.isDisjoint(with: Self.exact) {
            return (
                column.sizes.count == 1 || (column.sizes.count == 2 && column.sizes[1] == 0) ? .integer : .decimal, [],
                nil
            )
        }
        if !parts.isDisjoint(with: Self.inexact) { return (.decimal, [], nil) }
        if has("interval", "point", "polygon", "geometry", "geography", "inet", "xml", "range", "tsvector") {
            return (.text, [], DraftNote("type", ["type": words]))
        }
        // A text column may contain days or ids: SQLite has no types for these.
        guard let sampled, has("char", "text", "clob", "string") || words.isEmpty else { return (.text, [], nil) }
        if sampled.isUUID { return (.uuid, [], nil) }
        guard words.isEmpty || sampled.column.type == .datetime || sampled.column.type == .date else {
            return (.text, [], nil)
        }
        return (
            sampled.column.type, sampled.column.conversions, DraftNote("sampled", ["count": String(sampled.count)])
        )
    }

    /// The type of a column whose declared type is a day or a time.
    private func typeOfTime(_ words: String, _ sampled: Sampled?) -> (
        type: FieldType?, conversions: [CellConversion], note: DraftNote?
    ) {
        let isInstant = words.contains("timestamp") || words.contains("datetime")
        let type: FieldType = isInstant ? .datetime : words == "date" ? .date : .time
        // SQLite stores times in columns of any type.
        if let seconds = sampled?.seconds { return (type, [seconds], nil) }
        let lacksZone = words == "timestamp" || words.contains("without time zone") || words == "datetime"
        return (type, [], lacksZone ? DraftNote("zone") : nil)
    }

    private struct Sampled {
        var column: SampledColumn
        var count: Int
        var isUUID: Bool
        /// The conversion for numbers that are times: seconds since 1970, or since 2001 (Apple).
        var seconds: CellConversion?
    }

    private func sample(_ column: TableDefinition.Column, _ table: TableDefinition) -> Sampled? {
        guard let sample = samples[table.name.lowercased()],
            let index = sample.columns.firstIndex(where: { $0.heading.lowercased() == column.name.lowercased() })
        else { return nil }
        let cells = sample.columns[index].filled
        guard !cells.isEmpty else { return nil }
        let numbers = cells.compactMap { $0.kind == .number ? Double($0.text) : nil }
        let isTime =
            numbers.count == cells.count && column.name.lowercased().contains(/date|time|_at$|fecha|hora|data|ora/)
        let conversion: CellConversion? =
            isTime && numbers.allSatisfy({ (946_684_800...4_102_444_800).contains($0) }) ? .since(1970, .instant)
            : isTime && column.name.hasPrefix("Z") && numbers.allSatisfy({ (0...3_000_000_000).contains($0) })
                ? .since(2001, .instant) : nil
        return Sampled(
            column: SampledColumn(
                sample, column: index, judge: ContentJudge(sample, pack: nil, known: JudgedContents())),
            count: cells.count,
            isUUID: cells.allSatisfy { UUID(uuidString: $0.text) != nil }, seconds: conversion)
    }

    private mutating func addVocabulary(
        _ values: [String], for field: inout DraftField, called name: String, isList: Bool
    ) {
        let values = values.reduce(into: [String]()) { if !$0.contains($1), !$1.isEmpty { $0.append($1) } }
        let name = DraftNames.plain(name) ?? field.name
        if isList { field.type = .list }
        field.vocabulary = name
        if let known = draft.vocabularies.first(where: { $0.name == name }) {
            guard known.values.map({ $0.alias ?? $0.name }) != values else { return }
            field.vocabulary = name + "_\(draft.vocabularies.count)"
        }
        draft.vocabularies.append(.init(name: field.vocabulary ?? name, values: values.map { .init(name: $0) }))
    }

    // MARK: Checks

    private mutating func readChecks(_ definition: TableDefinition, _ table: inout DraftTable) {
        for check in definition.checks {
            guard let term = ConditionParser.term(check) else {
                table.notes.append(DraftNote("constraint", ["text": check.written]))
                continue
            }
            let rest = term.conjuncts.filter { part in
                guard let source = part.fields.first, Set(part.fields.map { $0.lowercased() }).count == 1,
                    let place = table.fields.firstIndex(where: { $0.source.lowercased() == source.lowercased() })
                else { return true }
                let isOwn: (ConditionTerm) -> Bool = { if case .field = $0 { true } else { false } }
                if takeWords(part, into: &table.fields[place], table.name) { return false }
                return !DraftLimits.add(part, to: &table.fields[place], searches: true, isOwn: isOwn).isEmpty
            }
            guard let first = rest.first else { continue }
            let whole = rest.dropFirst().reduce(first) { .operation("and", $0, $1) }
            let known = table
            let fields = whole.fields.compactMap { known.field(source: $0)?.name }.reduce(into: [String]()) {
                if !$0.contains($1) { $0.append($1) }
            }
            if let requirement = whole.expression(.init(own: nil) { known.field(source: $0) }), let field = fields.last
            {
                table.rules.append(
                    .init(
                        code: codes.name(table.name + "_" + field + "_check", other: "check").uppercased().replacing(
                            "_", with: "-"), field: field, requirement: requirement, arguments: fields))
            } else {
                table.notes.append(DraftNote("constraint", ["text": check.written]))
            }
        }
    }

    /// Makes a vocabulary from a condition like `status IN ('a', 'b')`.
    private mutating func takeWords(_ part: ConditionTerm, into field: inout DraftField, _ table: String) -> Bool {
        switch part {
        case .operation("or", .isMissing, let rest): return takeWords(rest, into: &field, table)
        case .isOneOf(.field, let values) where field.type == .text && field.vocabulary == nil:
            let words = values.compactMap { if case .text(let text) = $0, !text.isEmpty { text } else { nil } }
            guard words.count == values.count, Set(words).count == words.count, !words.isEmpty else { return false }
            addVocabulary(words, for: &field, called: table + "_" + field.name, isList: false)
            field.maximumLength = nil
            return true
        default: return false
        }
    }

    // MARK: Keys and parents

    private func chooseParent(_ definition: TableDefinition, _ table: inout DraftTable) {
        let own = table.name
        let links = table.fields.filter { $0.references != nil && $0.references != own }
        guard
            let link = links.first(where: \.deletesWithParent)
                ?? (links.count == 1 && links[0].isRequired ? links[0] : nil), let target = link.references
        else { return }
        table.parent = DraftTable.Parent(table: target, field: link.name)
    }

    private func setKey(
        _ identity: Identity, _ definition: TableDefinition, _ table: inout DraftTable,
        _ reading: inout DraftTable.RowOrigin
    ) {
        let parent = table.parent.flatMap { table.field($0.field)?.isRequired == true ? $0.field : nil }
        switch identity {
        case .uuid:
            // People do not identify rows by a UUID, so another unique field becomes the key.
            if let unique = table.fields.first(where: { $0.isUnique && $0.references == nil && $0.isRequired }) {
                table.key = [unique.name]
            } else if let pair = definition.uniques.first(where: { $0.count > 1 }) {
                table.key = pair.compactMap { table.field(source: $0)?.name }
            } else if let text = table.fields.first(where: { $0.type == .text && $0.isRequired && $0.vocabulary == nil }
            ) {
                table.key = [text.name, "id"]
            } else {
                table.key = ["id"]
            }
        case .column(let column):
            guard let field = table.field(source: column) else { break }
            (table.key, table.within) = ([field.name], parent)
            reading.key = [parent, field.name].compactMap(\.self)
        case .columns(let columns):
            let fields = columns.compactMap { table.field(source: $0)?.name }
            table.key = fields
            reading.key = fields
        case .none:
            table.key = table.fields.filter { $0.references == nil }.prefix(2).map(\.name)
            reading.key = []
            table.notes.append(DraftNote("key"))
        }
        // Rows without any key are identified by the first eight fields that the mapping reads.
        if reading.key.isEmpty, table.idReading == nil {
            reading.key = table.fields.filter { $0.reading != nil }.prefix(8).map(\.name)
        }
        if table.key.isEmpty { table.key = table.idReading == nil && !reading.key.isEmpty ? reading.key : ["id"] }
    }

    private static let deepest = 3

    /// The mapping's value that finds a row of a table by its primary key, as YAML; nil if a
    /// mapping cannot express it.
    private func link(to target: DraftTable, _ value: String, depth: Int) -> String? {
        if target.idReading != nil { return value }
        guard target.key.count == 1, let own = target.field(target.key[0]), depth < Self.deepest else { return nil }
        var by = [own.name + ": " + value]
        if let within = target.within {
            guard let field = target.field(within), let parent = field.references.flatMap(draft.table),
                let reading = target.reading
            else { return nil }
            let key = SuggestedYAML.quoted(own.source), take = SuggestedYAML.quoted(field.source)
            let outer = "{from: \(SuggestedYAML.quoted(reading.table)), key: [\(key)], by: [\(value)], take: \(take)}"
            guard let link = link(to: parent, outer, depth: depth + 1) else { return nil }
            by.insert(within + ": " + link, at: 0)
        }
        return "{parent: \(target.name), by: {" + by.joined(separator: ", ") + "}}"
    }
}
