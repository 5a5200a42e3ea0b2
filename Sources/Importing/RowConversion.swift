package import JSONReading
package import Model

/// Turns a row of a source into a row of an entity: names through the pack's aliases, values by the fields' types.
struct RowConversion {
    /// What came of one row.
    struct Outcome {
        var row: ImportedRow?
        var findings: [Finding]
        /// Names in the source that the entity has no field for.
        var unknownNames: [String]
    }

    /// Local states that a replica copied off a device carries beside the fields; they become the replica's own columns.
    private enum StateName {
        static let sync: Set<String> = ["syncStatus", "sync_status", "syncState", "sync_state"]
        static let version: Set<String> = ["localVersion", "local_version"]
        static let remote: Set<String> = ["remoteUpdatedAt", "remote_updated_at"]
        static let all = sync.union(version).union(remote)
    }

    private let entity: Entity
    private let values: ValueConversion
    private let fields: [String: Int]
    private let plans: [FieldPlan]
    /// The members of the row before, with the field that each fed: rows of one table mostly have the same members in the same order.
    private let last = LastMembers()

    /// A field to be handed round for every cell: a copy of its many parts would take longer than most conversions.
    private final class FieldPlan {
        let field: Field
        init(_ field: Field) { self.field = field }
    }

    private final class LastMembers {
        var members: [(key: String, field: Int?)] = []
    }

    /// Whether rows bear their values in the order of the fields, which is cheaper, and not by name.
    private let isOrdered: Bool

    init(entity: Entity, pack: Pack, isOrdered: Bool = false) {
        self.isOrdered = isOrdered
        self.entity = entity
        values = ValueConversion(pack: pack)
        var fields: [String: Int] = [:]
        for (index, field) in entity.fields.enumerated() {
            for name in field.aliases where fields[name] == nil { fields[name] = index }
        }
        for (index, field) in entity.fields.enumerated() { fields[field.name] = index }
        self.fields = fields
        plans = entity.fields.map(FieldPlan.init)
    }

    func convert(_ source: SourceRow) -> Outcome {
        let raw = source.raw ?? source.value.description
        if source.findings.contains(where: { $0.severity == .error }) {
            return Outcome(row: nil, findings: source.findings, unknownNames: [])
        }
        if let fault = source.fault {
            let finding = Finding(
                code: "IMPORT-UNREADABLE", severity: .error, place: source.place(in: entity, id: nil, field: nil), arguments: ["reason": fault])
            return Outcome(row: nil, findings: [finding], unknownNames: [])
        }
        guard case .object(let members) = source.value else {
            let finding = Finding(
                code: "FIELD-TYPE", severity: .error, place: source.place(in: entity, id: nil, field: nil),
                arguments: ["value": String(raw.prefix(80)), "type": "object"])
            return Outcome(row: nil, findings: [finding], unknownNames: [])
        }
        var row = ImportedRow(entity: entity.name, values: [:], raw: raw, place: source.place(in: entity, id: nil, field: nil))
        var misfits: [(Field, ValueConversion.Misfit)] = []
        var unknown: [String] = []
        var ordered = [MemoryRows.Value?](repeating: nil, count: plans.count)
        for (position, member) in members.enumerated() {
            let (name, value) = (member.key, member.value)
            if let index = field(name, at: position) {
                let plan = plans[index]
                do {
                    ordered[index] = try values.convert(value, for: plan.field)
                } catch {
                    misfits.append((plan.field, error))
                }
            } else if StateName.sync.contains(name), case .string(let text) = value, let state = SyncState(rawValue: text) {
                row.syncState = state
            } else if StateName.version.contains(name), let digits = Self.digits(value), let version = Int64(digits) {
                row.localVersion = version
            } else if StateName.remote.contains(name), case .string(let text) = value {
                row.remoteUpdatedAt = Timestamp.normalized(text)
            } else if StateName.all.contains(name), case .null = value {
                continue
            } else {
                unknown.append(name)
            }
        }
        row.ordered = ordered
        let found = findings(misfits, row: &row, source: source)
        if !isOrdered {
            for (field, value) in zip(entity.fields, ordered) { row.values[field.name] = value }
            row.ordered = nil
        }
        return Outcome(row: row, findings: found, unknownNames: unknown)
    }

    /// Mappings give every value as text.
    private static func digits(_ value: JSONValue) -> String? {
        switch value {
        case .number(let text), .string(let text): text
        default: nil
        }
    }

    private func field(_ name: String, at position: Int) -> Int? {
        if position < last.members.count, last.members[position].key == name { return last.members[position].field }
        let found = fields[name]
        if position < last.members.count {
            last.members[position] = (name, found)
        } else if position == last.members.count {
            last.members.append((name, found))
        }
        return found
    }

    /// A row with a value that does not fit, or without an id, cannot be stored: the findings say why.
    private func findings(_ misfits: [(Field, ValueConversion.Misfit)], row: inout ImportedRow, source: SourceRow) -> [Finding] {
        var id: String?
        if case .text(let text)?? = row.ordered?.first, entity.fields.first?.name == "id" { id = text }
        row.place = source.place(in: entity, id: id, field: nil)
        var findings = misfits.map { field, misfit in
            let isPrivate = field.privacy != "public" && field.privacy != "internal"
            return Finding(
                code: "FIELD-TYPE", severity: .error, place: source.place(in: entity, id: id, field: field.name),
                arguments: ["value": isPrivate ? "•••" : misfit.value, "type": misfit.type])
        }
        if id == nil, !misfits.contains(where: { $0.0.name == "id" }) {
            findings.append(Finding(code: "IMPORT-NO-ID", severity: .error, place: row.place))
        }
        return findings
    }
}

/// One row of a source, with its place.
package struct SourceRow {
    package var value: JSONValue
    /// Why this is no row, in English, where the source could not be read at this place; the value is then the text that stands there.
    package var fault: String? = nil
    /// Whether the row was read and is left out on purpose: it is counted and goes no further.
    package var isFiltered = false
    /// Whether the source says that the record with the id in `value` was deleted; `value` is what it says of that.
    package var isDeletion = false
    /// What is wrong with the row as its mapping found it: errors keep it out, others are told.
    package var findings: [Finding] = []
    /// The row as it stood in its file, as JSON, where `value` was made of it.
    package var raw: String? = nil
    package var file: String
    package var line: Int?
    package var pointer: String?
    package var sheet: String? = nil
    /// See `Place.mapping`.
    package var mapping: String? = nil

    package func place(in entity: Entity, id: String?, field: String?) -> Place {
        Place(table: entity.name, id: id, field: field, file: file, sheet: sheet, line: line, pointer: pointer, mapping: mapping)
    }
}
