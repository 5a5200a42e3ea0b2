import Blocks
import Model
import Replica
import Reporting

/// One report as the command line or a job's step requests it.
struct DocumentRequest: ProductRequest {
    var definition: ReportDefinition
    var files: FileRequest
    var brand: Brand
    /// Codes of records that were requested by name.
    var records: [String] = []

    var record: String { definition.record }
    var choosesByDays: Bool { !definition.asksForDays }
    func title(_ session: CommandSession) -> String { session.title(of: definition) }
    func dialect(of format: ExportFormat) -> String? { nil }

    func contents(in pack: Pack) -> (exports: [ExportDefinition], reports: [ReportDefinition]) {
        let delivery = definition.delivery
        return ((delivery?.exports ?? []).compactMap { pack.export($0) }, [definition] + (delivery?.reports ?? []).compactMap { pack.report($0) })
    }

    var packedPhotos: PackedPhotos? { PackedPhotos(definition.delivery?.photoEntity, definition.delivery?.photoName) }

    func production(_ scope: RunScope, _ reading: ReadSession, _ kind: RecordKind) throws -> any ProjectFiles {
        for code in records where try reading.records(kind, code: code).isEmpty { throw RecordFailure.unknown(code) }
        return ProjectDocument(scope: scope, request: self, reading: reading, kind: kind)
    }

    /// The selection's filter, extended by a condition for records with these codes, in the field
    /// that holds their names for people.
    static func filter(_ definition: ReportDefinition, records: [String], _ session: CommandSession, _ stated: String?) -> String? {
        guard !records.isEmpty, let kind = session.pack.record(definition.record), let root = session.pack.entity(kind.root) else { return stated }
        let codes = records.map { "'" + $0.replacing("'", with: "''") + "'" }.joined(separator: ", ")
        let condition = "\(root.key.first ?? "id") in (\(codes))"
        return stated.map { "(\($0)) and \(condition)" } ?? condition
    }
}
