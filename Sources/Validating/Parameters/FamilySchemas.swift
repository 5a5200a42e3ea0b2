import JSONReading
import Model
import Schemas

/// Finds the schemas for checking the rows of an entity, and compiles each once.
///
/// A schema is read and compiled at the first row that needs it: once for each family and version,
/// or for each text if the row itself contains the schema. So the pass over a million rows does not
/// fetch a schema with each row.
struct FamilySchemas {
    /// The schemas for the rows of one family that were captured under one version.
    struct Judges {
        /// The check against the version at the capture; against the current schema if no
        /// version is known.
        let check: ParameterCheck
        /// The check against the current schema, if it differs.
        let today: ParameterCheck?
        let family: String
        let version: String

        init(_ check: ParameterCheck, today: ParameterCheck?, family: String, version: String) {
            (self.check, self.today, self.family, self.version) = (check, today, family, version)
        }
    }

    private let plan: EntityPlan
    private let source: any ValidationSource
    private let writer: FindingWriter
    private let seconds: Double
    private var cache: [[UInt8]: Judges?] = [:]

    private static let cacheSize = 2000

    init(_ plan: EntityPlan, pack: Pack, source: any ValidationSource, writer: FindingWriter, seconds: Double) {
        (self.plan, self.source, self.writer, self.seconds) = (plan, source, writer, seconds)
    }

    /// The schemas for a row's parameters; nil when there is no usable schema.
    mutating func judges(_ index: Int, _ batch: RowBatch, _ row: Int) throws -> Judges? {
        guard let column = plan.parameters[index].schemaColumn ?? plan.parameters[index].holderColumn else {
            return nil
        }
        let cell = batch.cell(row, column)
        guard cell.kind == .text else { return nil }
        var key = [UInt8(truncatingIfNeeded: index)] + batch.text[cell.range]
        let version = plan.parameters[index].versionColumn.map { batch.cell(row, $0) }
        if let version, version.kind == .text { key += [0] + batch.text[version.range] }
        if let known = cache[key] { return known }
        let found = try judges(plan.parameters[index], index, batch, row, column)
        if cache.count >= Self.cacheSize { cache.removeAll() }
        cache[key] = .some(found)
        return found
    }

    private func judges(_ parameter: JudgedParameters, _ index: Int, _ batch: RowBatch, _ row: Int, _ column: Int)
        throws -> Judges?
    {
        let id = batch.string(row, column) ?? ""
        var text: [UInt8]?
        if parameter.schemaColumn != nil {
            text = Array(id.utf8)
        } else {
            try forEachRow(of: parameter.holder, [parameter.schemaField], id) { found, at in
                let cell = found.cell(at, 1)
                if cell.kind == .text { text = Array(found.text[cell.range]) }
            }
        }
        let today = text.flatMap { ParameterSchemaParser.parse($0).schema }
        if let column = parameter.versionColumn, let version = batch.string(row, column),
            let captured = try captured(parameter, index, version, family: id), captured.text != text {
            let check = ParameterCheck(captured.schema, scope: parameter.scope)
            let other = today.map { ParameterCheck($0, scope: parameter.scope) }
            return Judges(check, today: other, family: id, version: captured.name)
        }
        return today.map { Judges(ParameterCheck($0, scope: parameter.scope), today: nil, family: id, version: "") }
    }

    private func forEachRow(
        of entity: Entity?, _ fields: [String], _ id: String, _ body: (borrowing RowBatch, Int) throws -> Void
    ) throws {
        guard let entity else { return }
        try source.forEachRow(
            of: entity, ids: [id], paths: fields.map { FieldPath(parts: [$0]) }, seconds: seconds, body)
    }

    // MARK: versions

    private struct Captured {
        var schema: ParameterSchema
        var text: [UInt8]
        /// The version's displayed name.
        var name: String
    }

    /// The schema of a family in a version; nil when the version is unknown or lacks the family.
    private func captured(_ parameter: JudgedParameters, _ index: Int, _ version: String, family: String) throws
        -> Captured?
    {
        var document: JSONValue?
        var name = version
        let asked = [parameter.versionField] + (parameter.versionHolder?.key.prefix(1) ?? [])
        try forEachRow(of: parameter.versionHolder, asked, version) { found, at in
            let cell = found.cell(at, 1)
            if cell.kind == .text { document = try? JSONValue.parse(found.text[cell.range]) }
            if found.columnCount > 2, let known = found.description(at, 2) { name = known }
        }
        // The document is a list of families, or the app's document with such a list.
        let list = document.flatMap { $0.items ?? $0["families"]?.items } ?? []
        guard let entry = list.first(where: { $0["id"]?.text?.lowercased() == family.lowercased() }) else { return nil }
        let names = [parameter.schemaField] + (parameter.holder?.field(parameter.schemaField)?.otherNames ?? [])
        let value = names.lazy.compactMap { entry[$0] }.first ?? entry
        // Some documents contain the schema as a text, others as JSON within the document.
        let text = Array((value.text ?? value.description).utf8)
        let outcome = ParameterSchemaParser.parse(text)
        if let holder = parameter.versionHolder {
            for mistake in outcome.faults.prefix(1) {
                try writer.add(
                    "SCHEMA-INVALID", entity: holder, id: version, field: parameter.versionField,
                    pointer: mistake.pointer,
                    arguments: ["reason": ParameterPass.reason(mistake)])
            }
        }
        return outcome.schema.map { Captured(schema: $0, text: text, name: name) }
    }
}
