import Model
import Replica

/// What a command or a step of a job requests: an export or a report.
protocol ProductRequest {
    var files: FileRequest { get }
    /// The kind of record that is selected.
    var record: String { get }
    /// Whether days that are asked for choose records; else the queries look at them.
    var choosesByDays: Bool { get }

    /// The exports and reports whose sheets and queries the files are made of: itself, or those that
    /// it packs.
    func contents(in pack: Pack) -> (exports: [ExportDefinition], reports: [ReportDefinition])

    /// The photos that are packed beside the files.
    var packedPhotos: PackedPhotos? { get }

    /// Its name for people.
    func title(_ session: CommandSession) -> String

    /// The dialect of a format, if there is a choice.
    func dialect(of format: ExportFormat) -> String?

    /// The object that makes the files of one project.
    func production(_ scope: RunScope, _ reading: ReadSession, _ kind: RecordKind) throws -> any ProjectFiles
}

/// The photos of a package: the table of their rows, and the column with their names in the package.
struct PackedPhotos {
    var entity: String
    var name: String

    init?(_ entity: String?, _ name: String?) {
        guard let entity, let name else { return nil }
        (self.entity, self.name) = (entity, name)
    }
}

extension ProductRequest {
    /// The tables of which the files have rows beside the selected records.
    func shown(beside kind: RecordKind, in pack: Pack) -> ShownTables {
        let contents = contents(in: pack)
        return ShownTables(exports: contents.exports, reports: contents.reports, selected: kind, of: pack)
    }
}

extension CommandSession {
    func title(of report: ReportDefinition) -> String { text("report.\(report.name).title") }
}
