import Model

/// The names of an entity's rows (`Pack.namePaths`) in findings, and their projects. Names lack the
/// fields that are hidden from the actor, and hide what messages may not quote.
struct FindingNames {
    /// What is known of a row besides its id.
    struct Row {
        var name: String?
        var project: String?
    }

    private let entity: Entity
    /// The parts of the name, then the way to the project.
    private let paths: [FieldPath]
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

    /// The rows that were found, by id.
    func rows(of ids: [String], in source: any ValidationSource, seconds: Double) throws -> [String: Row] {
        guard !paths.isEmpty, !ids.isEmpty else { return [:] }
        var rows: [String: Row] = [:]
        rows.reserveCapacity(ids.count)
        do {
            try source.forEachRow(of: entity, ids: ids, paths: paths, seconds: seconds) { batch, row in
                guard let id = batch.description(row, 0) else { return }
                rows[id] = Row(name: name(batch, row, id), project: hasProject ? batch.description(row, paths.count) : nil)
            }
        } catch is QueryTimeout {
            // A finding without its row's name still has the id.
        }
        return rows
    }

    private func name(_ batch: borrowing RowBatch, _ row: Int, _ id: String) -> String? {
        var name = ""
        var (isEmpty, isFirst) = (true, true)
        for index in fields.indices {
            let part = quotation.quote(batch, row, index + 1, of: fields[index])
            if part != nil { isEmpty = false }
            // A row without the last part of its key is named by its id.
            guard let part = part ?? (index == fields.count - 1 ? id : nil) else { continue }
            if !isFirst { name += Pack.nameSeparator }
            name += part
            isFirst = false
        }
        return isEmpty ? nil : name
    }
}
