import Digests
import Foundation
import JSONReading
import Model

/// Computes the values of a mapping's plans for rows of one external table, as texts, and decides
/// whether cells are filled.
final class MappedValues {
    private let target: ImportMapping.Target
    /// The time zone of days and times that name none.
    let officeZone: TimeZone
    private let pack: Pack
    let plans: [(name: String, plan: ValuePlan)]
    /// Columns that must be filled. A column that the file lacks counts as never filled.
    let requires: [Int]
    let photo: [Int]
    /// Fields whose values are percentages.
    private let percents: Set<String>
    let filter: ExpressionProgram?
    let columns: NamedColumns
    let words: ConversionWords
    private let blanks: [Bool]
    private let keys: any RecordKeys
    let table: String
    /// Finds the positions of cells, for tables whose columns are not those of a sheet.
    var naming: (any CellNaming)?
    private var ordinals: [String: Int] = [:]
    /// Whether row numbers restart on each line: rows of different lines with one key are then
    /// different records.
    private let numbersByLine: Bool
    /// Set for rejected rows that are retried.
    private let again: RetryState?
    /// The values that the current row gets from neighbouring rows.
    var around = NeighbourValues()
    private var ids: [String: String] = [:]
    /// Readable names of values that the mapping supplies without the file: for the project's id,
    /// its code.
    var names: [String: String] = [:]

    /// The largest number of cached parents' ids; the cache is emptied when full.
    private static let rememberedIDs = 20_000

    init(
        _ target: ImportMapping.Target, scene: ValuePlan.Scene, words: ConversionWords, pack: Pack,
        keys: any RecordKeys, table: String,
        numbersByLine: Bool = false, again: RetryState? = nil
    ) throws {
        (self.target, self.pack, self.words, self.keys, self.table, self.again) = (
            target, pack, words, keys, table, again
        )
        self.numbersByLine = numbersByLine
        blanks = PlainForm.firstBytes(of: words.blanks)
        officeZone = pack.officeZone
        columns = scene.columns
        percents = Set((pack.entity(target.entity)?.fields ?? []).filter { $0.unit == "%" }.map(\.name))
        plans = try target.fields.compactMap { field in try ValuePlan(field, scene).map { (field.name, $0) } }
        requires = target.requires.map { scene.places(of: [$0]).first ?? Int.max }
        photo = target.photo.map { scene.places(of: $0.headings) } ?? []
        filter = try target.filter.map { try scene.columns.program(of: $0) }
    }

    /// Whether a cell contains something other than spaces and words for an empty value.
    func isFilled(_ batch: borrowing ForeignBatch, _ row: Int, _ column: Int) -> Bool {
        let cell = batch.cell(row, column)
        if cell.kind == .empty || cell.kind == .null { return false }
        return switch PlainForm.presence(batch.text.span.extracting(cell.range), blanks: blanks) {
        case .there: true
        case .nothing: false
        case .unsure: foreign(batch, row).text(column) != nil
        }
    }

    /// The column of the first filled cell; nil if none is filled.
    ///
    /// - Parameter isCertain: set to false if the caller must check the cells more closely.
    @inline(__always) func place(_ places: [Int], _ batch: borrowing ForeignBatch, _ row: Int, isCertain: inout Bool)
        -> Int?
    {
        for place in places {
            let cell = batch.cell(row, place)
            if cell.kind == .empty || cell.kind == .null { continue }
            switch PlainForm.presence(batch.text.span.extracting(cell.range), blanks: blanks) {
            case .there: return place
            case .nothing: continue
            case .unsure:
                isCertain = false
                return nil
            }
        }
        return nil
    }

    func foreign(_ batch: borrowing ForeignBatch, _ row: Int) -> ForeignRow {
        ForeignRow(batch: copy batch, index: row, blanks: words.blanks, naming: naming)
    }

    /// The id of the replica's record with a natural key, or the id derived from the key. Ids of
    /// parents are cached, because they are needed often.
    func id(of entity: String, _ key: [(field: String, value: String)]) throws -> String {
        let name = entity + key.map { "\u{1F}\($0.field)\u{1F}\($0.value)" }.joined()
        if let id = ids[name] { return id }
        let id = try ownID(of: entity, key)
        if ids.count >= Self.rememberedIDs { ids.removeAll(keepingCapacity: true) }
        ids[name] = id
        return id
    }

    /// Like `id(of:_:)` without the cache, for keys that rarely occur twice.
    func ownID(of entity: String, _ key: [(field: String, value: String)]) throws -> String {
        switch try keys.match(entity, key) {
        case .one(let own): own
        case .none: NaturalID.id(pack: pack.name, entity: entity, key: key.map(\.value))
        case .several:
            throw MappingFault(
                code: "IMPORT-AMBIGUOUS", field: nil,
                arguments: ["value": key.map(\.value).joined(separator: " / "), "target": entity])
        }
    }

    /// Whether the replica has no rows of an entity.
    func isEmpty(_ entity: String) throws -> Bool { try keys.isEmpty(entity) }

    func value(_ plan: ValuePlan, _ field: String, _ row: ForeignRow) throws -> String? {
        switch plan {
        case .constant(let text): return text
        case .column(let places, let conversions):
            guard let cell = row.first(places) else { return nil }
            let isPercent = percents.contains(field)
            return try row.converted(
                isPercent ? row.inPercent(cell) : cell, conversions, words, table: table, field: field)
        case .identifier(let parts):
            let texts = try parts.map { part in
                guard let text = try value(part, field, row) else {
                    throw MappingFault(code: "IMPORT-NO-KEY", field: field, arguments: ["name": field])
                }
                return text
            }
            return NaturalID.id(pack: pack.name, entity: target.entity, key: texts)
        case .object(let members): return try object(members, field, row)
        case .merge(let parts):
            let objects = try parts.compactMap { try value($0, field, row).flatMap { try? JSONValue.parse($0) } }
            return objects.isEmpty ? nil : objects.dropFirst().reduce(objects[0]) { $0.merged(with: $1) }.description
        case .join(let places, let separator, let conversions):
            let texts = try places.compactMap { place in
                try row.first([place]).flatMap { try row.converted($0, conversions, words, table: table, field: field) }
            }
            return texts.isEmpty ? nil : texts.joined(separator: separator)
        case .expression(let program, let conversions):
            return try columns.text(of: program).flatMap { try converted($0, conversions, field) }
        case .named(let records):
            return try records.key(namedIn: row, field, keys: keys) { try value($0, field, row) }
        case .ordinal(let places):
            return String(try ordinal(places, field, row))
        case .layer(let layer):
            return try layer.value(of: row, words: words, table: table, field: field, again: again, around: &around)
        case .other(let other, let by):
            let key = try by.compactMap { try value($0, field, row) }
            return key.count == by.count ? try other.converted(key, field) : nil
        case .parent(let entity, let by):
            var key: [(field: String, value: String)] = []
            for part in by {
                guard let text = try value(part.value, field, row) else { return nil }
                key.append((part.name, text))
            }
            return try id(of: entity, key)
        }
    }

    /// The human-readable key of the record that one of a row's fields refers to: the texts of its
    /// key, outermost first. Nil if the row does not contain it.
    func parentKey(_ field: String, _ row: ForeignRow) throws -> String? {
        guard case .parent(let entity, let by)? = plans.first(where: { $0.name == field })?.plan else { return nil }
        let texts = try keyTexts(entity, by, field, row)
        return texts.isEmpty ? nil : texts.joined(separator: " / ")
    }

    private func keyTexts(_ entity: String, _ by: [ValuePlan.Part], _ field: String, _ row: ForeignRow) throws
        -> [String]
    {
        try by.flatMap { part -> [String] in
            if case .parent(let owner, let parts) = part.value { return try keyTexts(owner, parts, field, row) }
            guard let own = try value(part.value, field, row) else { return [] }
            let text = names[own] ?? own
            return [pack.quoted(text, of: pack.entity(entity)?.field(part.name))]
        }
    }

    /// The row's number among those with the same texts in some columns.
    private func ordinal(_ places: [Int], _ field: String, _ row: ForeignRow) throws -> Int {
        let number: Int
        if let again {
            // With a new number, the row would become a different record.
            guard let kept = again.kept.number(of: field) else {
                throw MappingFault(code: "IMPORT-PLACE-UNKNOWN", field: field, arguments: [:])
            }
            number = kept
        } else {
            let line = numbersByLine ? [String(row.batch.rows[row.index].number)] : []
            let name = (places.map { row.text($0).map(ColumnName.normal) ?? "" } + line).joined(separator: "\u{1F}")
            ordinals[name, default: 0] += 1
            number = ordinals[name] ?? 1
        }
        around.note(number, of: field)
        return number
    }

    /// Builds an object. A value becomes a number or boolean only if the file stores it as one:
    /// digits in a text may be a serial number.
    private func object(_ members: [ValuePlan.Part], _ field: String, _ row: ForeignRow) throws -> String? {
        let found = try members.compactMap { part -> JSONValue.Member? in
            let (name, plan) = (part.name, part.value)
            guard let text = try value(plan, field, row) else { return nil }
            guard case .column(let places, let conversions) = plan, conversions.isEmpty, let cell = row.first(places)
            else {
                return .init(key: name, value: .string(text))
            }
            return .init(key: name, value: row.json(text, of: cell.column, guessing: false))
        }
        return found.isEmpty ? nil : JSONValue.object(found).description
    }

    /// Converts a text that does not come from a single cell.
    private func converted(_ text: String, _ conversions: [CellConversion], _ field: String) throws -> String? {
        try words.converted(text, conversions, field)
    }
}

/// Derives the id of a row that has none: a UUID of version 8 (RFC 9562, 5.8) from SHA-256 over
/// pack, entity and natural key. So a second import of the same file, or of a corrected version,
/// gives the same ids.
enum NaturalID {
    static func id(pack: String, entity: String, key: [String]) -> String {
        var maker = Maker(pack: pack, entity: entity)
        return maker.id(key.map { Array($0.utf8) })
    }

    /// Derives the ids of one entity.
    struct Maker {
        /// The start of the hashed bytes: pack and entity.
        private let head: [UInt8]
        private var message: [UInt8] = []

        init(pack: String, entity: String) {
            var head: [UInt8] = []
            Self.append(Array(pack.utf8)[...], to: &head)
            Self.append(Array(entity.utf8)[...], to: &head)
            self.head = head
        }

        /// Appends a part with its length, so that different keys never give the same bytes.
        private static func append(_ part: ArraySlice<UInt8>, to message: inout [UInt8]) {
            message.append(contentsOf: String(part.count).utf8)
            message.append(UInt8(ascii: " "))
            message.append(contentsOf: part)
            message.append(UInt8(ascii: " "))
        }

        mutating func id(_ key: [[UInt8]]) -> String {
            var text: [UInt8] = []
            var ends: [Int] = []
            let forms = key.map { KeyText.form(of: $0) }
            for part in forms { ends.append((ends.last ?? 0) + part.count) }
            append(Array(forms.joined()), ends: ends, to: &text)
            return String(decoding: text, as: UTF8.self)
        }

        /// Appends the id of a key, whose parts follow one another in `key`.
        mutating func append(_ key: [UInt8], ends: [Int], to text: inout [UInt8]) {
            message.removeAll(keepingCapacity: true)
            message.append(contentsOf: head)
            var start = 0
            for end in ends {
                Self.append(key[start..<end], to: &message)
                start = end
            }
            let digest = SHA256.digest(of: message)
            UUIDText.append(digest.first & ~0xF000 | 0x8000, digest.second & ~(0b11 << 62) | 0b10 << 62, to: &text)
        }
    }
}
