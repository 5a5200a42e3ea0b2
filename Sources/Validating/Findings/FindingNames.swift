import Model

/// The names of an entity's rows (`Pack.namePaths`) in findings, and their projects. Names leave
/// out fields hidden from the actor, and mask values that messages may not quote.
struct FindingNames {
    /// A row's name and project, as far as they are known.
    struct Row {
        var name: String?
        var project: String?
    }

    private let entity: Entity
    /// The parts of the name, then the path to the project.
    private let paths: [FieldPath]
    /// By part of the name: the field at the end of its path.
    private let fields: [Field?]
    private let hasProject: Bool
    private let quotation: Quotation

    init(of entity: Entity, in pack: Pack, source: any ValidationSource, quotation: Quotation) {
        self.entity = entity
        self.quotation = quotation
        let names = pack.namePaths(of: entity) { field, owner in !source.isHidden(field, of: owner.name) }
        let project = entity.projectPath.flatMap { source.isHidden($0, from: entity, in: pack) ? nil : $0 }
        fields = names.map { pack.field(at: $0, from: entity) }
        hasProject = project != nil
        paths = names + [project].compactMap(\.self)
    }

    /// The rows found, by id.
    func rows(of ids: [String], in source: any ValidationSource, seconds: Double) throws -> [String: Row] {
        guard !paths.isEmpty, !ids.isEmpty else { return [:] }
        var rows: [String: Row] = [:]
        rows.reserveCapacity(ids.count)
        do {
            try source.forEachRow(of: entity, ids: ids, paths: paths, seconds: seconds) { batch, row in
                guard let id = batch.description(row, 0) else { return }
                rows[id] = Row(
                    name: name(batch, row, id), project: hasProject ? batch.description(row, paths.count) : nil)
            }
        } catch is QueryTimeout {
            // Without a name, a finding still has the row's id.
        }
        return rows
    }

    private func name(_ batch: borrowing RowBatch, _ row: Int, _ id: String) -> String? {
        var name = ""
        var (isEmpty, isFirst) = (true, true)
        for index in fields.indices {
            let part = quotation.quote(batch, row, index + 1, of: fields[index])
            if part != nil { isEmpty = false }
            // A row without the last part of its key gets its id instead.
            guard let part = part ?? (index == fields.count - 1 ? id : nil) else { continue }
            if !isFirst { name += Pack.nameSeparator }
            name += part
            isFirst = false
        }
        return isEmpty ? nil : name
    }
}

/// Values in messages: short, and masked if they are private.
struct Quotation: Sendable {
    private static let maximumLength = 80
    private let pack: Pack

    init(pack: Pack) { self.pack = pack }

    /// Whether messages may quote the field's values.
    func isOpen(_ field: Field?) -> Bool { pack.mayQuote(field) }

    func quote(_ value: String, of field: Field?) -> String {
        isOpen(field) ? Self.shortened(value) : Pack.hiddenValue
    }

    /// At most 80 Unicode scalars, without control characters that would break a line or a
    /// terminal.
    static func shortened(_ value: String) -> String {
        // Most values are short and contain only printable ASCII.
        let bytes = value.utf8
        if bytes.count <= maximumLength, bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return value }
        var scalars = String.UnicodeScalarView()
        for (index, scalar) in value.unicodeScalars.enumerated() {
            guard index < maximumLength else {
                scalars.removeLast()
                scalars.append("…")
                break
            }
            let isControl =
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || [0x2028, 0x2029].contains(scalar.value)
            scalars.append(isControl ? "�" : scalar)
        }
        return String(scalars)
    }

    /// A cell, formatted for a message; nil for null.
    func quote(_ batch: borrowing RowBatch, _ row: Int, _ column: Int, of field: Field?) -> String? {
        let cell = batch.cell(row, column)
        let value = cell.kind == .real ? Self.number(cell.real) : batch.description(row, column)
        return value.map { quote($0, of: field) }
    }

    /// A number without a superfluous fraction: `30`, not `30.0`.
    static func number(_ value: Double) -> String {
        if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
        return String(value)
    }

    /// A bound, or an infinity sign if there is none.
    static func minimum(_ value: Double?) -> String { value.map(number) ?? "−∞" }
    static func maximum(_ value: Double?) -> String { value.map(number) ?? "∞" }

    /// A list of values, as many as fit into a message.
    static func list(_ values: [String]) -> String {
        let few = values.prefix(12).map(shortened).joined(separator: ", ")
        return values.count > 12 ? few + ", …" : few
    }
}
