import Model

/// Makes rows of one entity out of rows of one foreign table the straight way, cell by cell into typed columns.
///
/// It gives the same as `RowMapping` and `RowConversion` one after the other, or says that a row is one for those: they alone know what is
/// wrong with a row and say so.
final class DirectMapping {
    enum Outcome {
        case row
        /// Left out on purpose.
        case filtered
        case unfit
    }

    private let target: ImportMapping.Target
    private let mapping: RowMapping
    private let scene: DirectText.Scene
    private let columns: [DirectColumn]
    /// For each part of the key the column whose text it is.
    private let key: [Int]
    /// The column that gives the id, if one does.
    private let idColumn: Int?
    private var natural: NaturalID.Maker
    private let repeated: RepeatedRows
    private let table: String
    private var seen = BytesMemo<Bool>()
    private var keyBytes: [UInt8] = []
    private var keyEnds: [Int] = []
    private var id: [UInt8] = []

    /// Positions in the entity's fields, that of the id last.
    let fields: [Int]

    /// Nil where rows need something that goes beyond the row, or beyond the entity's fields.
    init?(_ mapping: RowMapping, target: ImportMapping.Target, entity: Entity, source: MappedSource, repeated: RepeatedRows, table: String) {
        guard target.each == nil, target.photo == nil, entity.fields.first?.name == "id", entity.fields.first?.type == .uuid else { return nil }
        (self.target, self.mapping, self.repeated, self.table) = (target, mapping, repeated, table)
        scene = DirectText.Scene(mapping: mapping, words: source.words, table: table)
        let values = ValueConversion(pack: source.pack)
        var columns: [DirectColumn] = []
        var fields: [Int] = []
        for plan in mapping.plans where plan.name != "id" {
            let isKey = target.key.contains(plan.name)
            guard let index = entity.fields.firstIndex(where: { $0.name == plan.name }), !fields.contains(index),
                !isKey || (entity.fields[index].type != .date && entity.fields[index].type != .datetime),
                let column = DirectColumn(plan.plan, of: entity.fields[index], isKey: isKey, values: values, scene)
            else { return nil }
            columns.append(column)
            fields.append(index)
        }
        var key: [Int] = []
        for name in target.key {
            guard let column = columns.firstIndex(where: { $0.field.name == name }) else { return nil }
            key.append(column)
        }
        if let plan = mapping.plans.first(where: { $0.name == "id" }) {
            guard let column = DirectColumn(plan.plan, of: entity.fields[0], isKey: true, values: values, scene) else { return nil }
            idColumn = columns.count
            columns.append(column)
        } else {
            guard !key.isEmpty else { return nil }
            idColumn = nil
        }
        (self.columns, self.fields, self.key) = (columns, fields + [0], key)
        natural = NaturalID.Maker(pack: source.pack.name, entity: target.entity)
    }

    /// The named columns must have been read from this row.
    func append(_ batch: borrowing ForeignBatch, _ row: Int, to result: inout ImportedBatch) throws -> Outcome {
        var hasText = false
        let columns = columns
        for index in 0..<(idColumn ?? columns.count) {
            guard try columns[index].append(batch, row, to: &result.rows, hasText: &hasText) else { return .unfit }
            // Without a part of the key there is no row.
            if !hasText, key.contains(index) { return .unfit }
        }
        keyBytes.removeAll(keepingCapacity: true)
        keyEnds.removeAll(keepingCapacity: true)
        if let idColumn {
            let column = columns[idColumn]
            guard try column.append(batch, row, to: &result.rows, hasText: &hasText), hasText else { return .unfit }
            keyBytes.append(contentsOf: column.bytes)
            keyEnds.append(keyBytes.count)
        } else {
            for index in key {
                keyBytes.append(contentsOf: columns[index].bytes)
                keyEnds.append(keyBytes.count)
            }
        }
        let count = keyBytes.count
        if target.repeats {
            for end in keyEnds { DirectKey.append(end, to: &keyBytes) }
            let bytes = keyBytes
            if seen.value(of: bytes.span) != nil { return .filtered }
        }
        if idColumn == nil {
            id.removeAll(keepingCapacity: true)
            guard try appendID() else { return .unfit }
            let bytes = id
            result.rows.append(bytes.span)
        }
        if target.repeats {
            let bytes = keyBytes
            seen.remember(true, of: bytes.span)
            let text = idColumn == nil ? String(decoding: id, as: UTF8.self) : String(decoding: keyBytes[..<count], as: UTF8.self)
            if !repeated.isFirst(text, in: table) { return .filtered }
        }
        return .row
    }

    /// The id by the natural key: the replica's own, or the one that follows from it.
    private func appendID() throws -> Bool {
        if try mapping.isEmpty(target.entity) {
            natural.append(keyBytes, ends: keyEnds, to: &id)
            return true
        }
        var start = 0
        let values = zip(target.key, keyEnds).map { field, end in
            defer { start = end }
            return (field: field, value: String(decoding: keyBytes[start..<end], as: UTF8.self))
        }
        do {
            id.append(contentsOf: try mapping.ownID(of: target.entity, values).utf8)
            return true
        } catch is MappingFault {
            return false
        }
    }
}
