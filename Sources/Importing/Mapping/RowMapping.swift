import Expressions
import Foundation
import JSONReading
import Model

/// Makes rows of one entity out of rows of one foreign table.
final class RowMapping {
    /// What came of a foreign row.
    enum Outcome {
        case row(id: String, JSONValue, photo: String?)
        /// Left out on purpose.
        case filtered
        case fault([MappingFault], id: String?, key: String?)
    }

    private let target: ImportMapping.Target
    private let officeZone: TimeZone
    private let pack: Pack
    /// Resolved once: to look a field up in its entity for each cell takes longer than all else.
    let plans: [(name: String, type: FieldType?, plan: ValuePlan)]
    let requires: [Int]
    private let photo: [Int]
    let filter: ExpressionProgram?
    private let columns: NamedColumns
    private let words: ConversionWords
    private let keys: any RecordKeys
    private let table: String
    private var ordinals: [String: Int] = [:]
    private var ids: [String: String] = [:]

    /// Ids of parents that are remembered before they are forgotten again.
    private static let rememberedIDs = 20_000

    /// - Parameter number: what `{n}` stands for.
    init(
        _ target: ImportMapping.Target, scene: ValuePlan.Scene, words: ConversionWords, pack: Pack, keys: any RecordKeys, table: String
    ) throws {
        self.target = target
        self.pack = pack
        self.words = words
        self.keys = keys
        self.table = table
        officeZone = TimeZone(identifier: pack.timeZone) ?? .gmt
        let entity = pack.entity(target.entity)
        columns = scene.columns
        plans = try target.fields.compactMap { field in
            try ValuePlan(field, scene).map { (field.name, entity?.field(field.name)?.type, $0) }
        }
        // A column that the file has not is never filled.
        requires = target.requires.map { scene.places(of: [$0]).first ?? Int.max }
        photo = target.photo.map { scene.places(of: $0.headings) } ?? []
        filter = try target.filter.map { try scene.columns.program(of: $0) }
    }

    /// The named columns must have been read from this row.
    func outcome(of row: ForeignRow) throws -> Outcome {
        guard requires.allSatisfy({ row.text($0) != nil }) else { return .filtered }
        if let filter, !columns.isTrue(filter) { return .filtered }
        var members: [JSONValue.Member] = []
        var values: [String: String] = [:]
        var faults: [MappingFault] = []
        members.reserveCapacity(plans.count + 1)
        for (name, type, plan) in plans {
            do {
                let text = try value(plan, name, row).map { fitted($0, to: type) }
                if name == "id" || target.key.contains(name) { values[name] = text }
                members.append(.init(key: name, value: text.map(JSONValue.string) ?? .null))
            } catch let fault as MappingFault {
                faults.append(fault)
            }
        }
        // Which record it would have been, by which a mended source settles what waits.
        guard faults.isEmpty else { return .fault(faults, id: try? id(values), key: target.key.last.flatMap { values[$0] }) }
        do {
            let id = try id(values)
            if values["id"] == nil {
                members.removeAll { $0.key == "id" }
                members.insert(.init(key: "id", value: .string(id)), at: 0)
            }
            return .row(id: id, .object(members), photo: row.first(photo)?.text)
        } catch let fault as MappingFault {
            return .fault([fault], id: nil, key: nil)
        }
    }

    private func id(_ values: [String: String]) throws -> String {
        let key = try target.key.map { name in
            guard let value = values[name] else { throw MappingFault(code: "IMPORT-NO-KEY", field: name, arguments: ["name": name]) }
            return (field: name, value: value)
        }
        if let id = values["id"] { return id }
        return try id(of: target.entity, key)
    }

    /// The replica's own id for a natural key, or the one that follows from it; those of parents are asked for again and again.
    func id(of entity: String, _ key: [(field: String, value: String)]) throws -> String {
        let name = entity + key.map { "\u{1F}\($0.field)\u{1F}\($0.value)" }.joined()
        if let id = ids[name] { return id }
        let id = try ownID(of: entity, key)
        if ids.count >= Self.rememberedIDs { ids.removeAll(keepingCapacity: true) }
        ids[name] = id
        return id
    }

    /// The same, for keys that hardly come twice.
    func ownID(of entity: String, _ key: [(field: String, value: String)]) throws -> String {
        switch try keys.match(entity, key) {
        case .one(let own): own
        case .none: NaturalID.id(pack: pack.name, entity: entity, key: key.map(\.value))
        case .several:
            throw MappingFault(code: "IMPORT-AMBIGUOUS", field: nil, arguments: ["value": key.map(\.value).joined(separator: " / "), "target": entity])
        }
    }

    /// Whether the replica has no rows of an entity.
    func isEmpty(_ entity: String) throws -> Bool { try keys.isEmpty(entity) }

    func value(_ plan: ValuePlan, _ field: String, _ row: ForeignRow) throws -> String? {
        switch plan {
        case .constant(let text): return text
        case .column(let places, let conversions):
            guard let cell = row.first(places) else { return nil }
            return try row.converted(cell, conversions, words, table: table, field: field)
        case .identifier(let parts):
            let texts = try parts.map { part in
                guard let text = try value(part, field, row) else { throw MappingFault(code: "IMPORT-NO-KEY", field: field, arguments: ["name": field]) }
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
        case .ordinal(let places):
            let name = places.map { row.text($0).map(ColumnName.normal) ?? "" }.joined(separator: "\u{1F}")
            ordinals[name, default: 0] += 1
            return String(ordinals[name] ?? 1)
        case .layer(let layer): return try layer.value(of: row, words: words, table: table, field: field)
        case .other(let other, let by, let conversions):
            let key = try by.compactMap { try value($0, field, row) }
            guard key.count == by.count, let text = other.value(key) else { return nil }
            return try converted(text, conversions, field)
        case .parent(let entity, let by):
            var key: [(field: String, value: String)] = []
            for part in by {
                guard let text = try value(part.value, field, row) else { return nil }
                key.append((part.field, text))
            }
            return try id(of: entity, key)
        }
    }

    /// Numbers and truths only where the file keeps them as such: digits of a text may be a serial number.
    private func object(_ members: [(name: String, value: ValuePlan)], _ field: String, _ row: ForeignRow) throws -> String? {
        let found = try members.compactMap { name, plan -> JSONValue.Member? in
            guard let text = try value(plan, field, row) else { return nil }
            guard case .column(let places, let conversions) = plan, conversions.isEmpty, let cell = row.first(places) else {
                return .init(key: name, value: .string(text))
            }
            return .init(key: name, value: OtherTable.json(text, row.kind(cell.column), guessing: false))
        }
        return found.isEmpty ? nil : JSONValue.object(found).description
    }

    /// A text that does not stand in one cell.
    private func converted(_ text: String, _ conversions: [CellConversion], _ field: String) throws -> String? {
        try words.converted(text, conversions, field)
    }

    /// Days and times as the field stores them: a foreign file's times are those of the office.
    func fitted(_ text: String, to type: FieldType?) -> String {
        switch type {
        case .date where text.utf8.count > 10 && Timestamp.isDate(String(text.prefix(10))):
            return String(text.prefix(10))
        case .datetime where Timestamp.normalized(text) == nil:
            return Timestamp.instant(local: text, in: officeZone) ?? text
        default: return text
        }
    }
}
