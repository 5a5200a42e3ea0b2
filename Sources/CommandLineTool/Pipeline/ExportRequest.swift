import Model
import Replica

/// One export as the command line or a job's step requests it.
struct ExportRequest: ProductRequest {
    var definition: ExportDefinition
    var files: FileRequest
    var dialect: CSVDialect = .standard
    /// Whether CSV files go into one ZIP.
    var zipped = false

    var record: String { definition.record }
    var choosesByDays: Bool { !definition.asksForDays }
    func title(_ session: CommandSession) -> String { session.text("export." + definition.name) }
    func dialect(of format: ExportFormat) -> String? { format == .csv ? dialect.rawValue : nil }

    func contents(in pack: Pack) -> (exports: [ExportDefinition], reports: [ReportDefinition]) {
        (definition.bundle.map { $0.exports.compactMap { pack.export($0) } } ?? [definition], [])
    }

    var packedPhotos: PackedPhotos? { PackedPhotos(definition.bundle?.photoEntity, definition.bundle?.photoName) }

    func production(_ scope: RunScope, _ reading: ReadSession, _ kind: RecordKind) -> any ProjectFiles {
        ProjectExport(scope: scope, request: self, reading: reading, kind: kind)
    }
}
