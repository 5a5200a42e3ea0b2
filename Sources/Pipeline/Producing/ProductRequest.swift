package import Blocks
package import Model
package import Replica
import Reporting

/// An export or a report as a command or a job's step requests it.
package protocol ProductRequest {
    var files: FileRequest { get }
    /// The kind of record that is selected.
    var record: String { get }
    /// Whether requested days select records; otherwise only the queries use them.
    var choosesByDays: Bool { get }

    /// The exports and reports whose sheets and queries the files contain: the requested one
    /// itself, or those that it packs.
    func contents(in pack: Pack) -> (exports: [ExportDefinition], reports: [ReportDefinition])

    /// The photos that are packed beside the files.
    var packedPhotos: PackedPhotos? { get }

    /// The display name of the export or report.
    func title(_ session: WorkSession) -> String

    /// The dialect of a format, if there is a choice.
    func dialect(of format: ExportFormat) -> String?

    /// The object that makes the files of one project.
    func production(_ scope: RunScope, _ reading: ReadSession, _ kind: RecordKind) throws -> any ProjectFiles
}

/// The photos of a package: the table of their rows, and the column with their names in the package.
package struct PackedPhotos {
    package var entity: String
    package var name: String

    init?(_ entity: String?, _ name: String?) {
        guard let entity, let name else { return nil }
        (self.entity, self.name) = (entity, name)
    }
}

extension ProductRequest {
    /// Selects records; under the policy that withholds records with errors, without these.
    func select(
        _ kind: RecordKind, in project: ReadSession.Project, _ wanted: SelectionRequest, from reading: ReadSession,
        _ session: WorkSession
    ) throws -> SelectionSummary {
        var summary = try reading.select(
            kind, in: project, wanted, hasRemote: session.hasRemote, byDays: choosesByDays)
        guard files.validates, files.policy == .withholdRecords else { return summary }
        let withheld = try reading.withholdRecordsWithErrors()
        if withheld > 0 {
            summary.selected -= withheld
            summary.leftOut[.findings] = withheld
        }
        return summary
    }

    /// The tables whose rows the files show in addition to the selected records.
    package func shown(beside kind: RecordKind, in pack: Pack) -> ShownTables {
        let contents = contents(in: pack)
        return ShownTables(exports: contents.exports, reports: contents.reports, selected: kind, of: pack)
    }
}

extension WorkSession {
    package func title(of report: ReportDefinition) -> String { text("report.\(report.name).title") }
}

/// One report as the command line or a job's step requests it.
package struct DocumentRequest: ProductRequest {
    package var definition: ReportDefinition
    package var files: FileRequest
    package var brand: Brand
    /// Codes of records that were requested by name.
    package var records: [String]

    package init(definition: ReportDefinition, files: FileRequest, brand: Brand, records: [String] = []) {
        (self.definition, self.files, self.brand, self.records) = (definition, files, brand, records)
    }

    package var record: String { definition.record }
    package var choosesByDays: Bool { !definition.asksForDays }
    package func title(_ session: WorkSession) -> String { session.title(of: definition) }
    package func dialect(of format: ExportFormat) -> String? { nil }

    package func contents(in pack: Pack) -> (exports: [ExportDefinition], reports: [ReportDefinition]) {
        let delivery = definition.delivery
        return (
            (delivery?.exports ?? []).compactMap { pack.export($0) },
            [definition] + (delivery?.reports ?? []).compactMap { pack.report($0) }
        )
    }

    package var packedPhotos: PackedPhotos? {
        PackedPhotos(definition.delivery?.photoEntity, definition.delivery?.photoName)
    }

    package func production(_ scope: RunScope, _ reading: ReadSession, _ kind: RecordKind) throws -> any ProjectFiles {
        for code in records where try reading.records(kind, code: code).isEmpty {
            throw try reading.unknownRecord(kind, code: code)
        }
        return ProjectDocument(scope: scope, request: self, reading: reading, kind: kind)
    }

    /// The selection's filter, extended by a condition for records with these codes, in the field
    /// with their readable names.
    package static func filter(
        _ definition: ReportDefinition, records: [String], _ session: WorkSession, _ stated: String?
    ) -> String? {
        guard !records.isEmpty, let kind = session.pack.record(definition.record),
            let root = session.pack.entity(kind.root)
        else { return stated }
        let codes = records.map { "'" + $0.replacing("'", with: "''") + "'" }.joined(separator: ", ")
        let condition = "\(root.key.first ?? "id") in (\(codes))"
        return stated.map { "(\($0)) and \(condition)" } ?? condition
    }
}
