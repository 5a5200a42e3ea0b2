import Digests
import Exporting
import Foundation
package import Model
import Recording
package import Replica

/// One export of one project.
final class ProjectExport: ProjectFiles {
    let scope: RunScope
    let request: ExportRequest
    let reading: ReadSession
    let kind: RecordKind
    var missing: [MissingRecord] = []
    var absent = AbsentPhotos()
    let holdsSelection = true
    let marking: ExportFormat? = .xlsx
    private var toldSuppressed: Set<String> = []

    init(scope: RunScope, request: ExportRequest, reading: ReadSession, kind: RecordKind) {
        (self.scope, self.request, self.reading, self.kind) = (scope, request, reading, kind)
    }

    /// Refuses conditions on the records of an anonymous export. They could identify a person, and
    /// would be part of the file names.
    func prepare() throws {
        if files.selection.singlesOut, definitions.contains(where: \.isAnonymous) {
            throw SettingFailure.anonymousFilter(files.name)
        }
    }

    func isDraft(of project: ReadSession.Project) throws -> Bool {
        try files.isDraft || request.definition.finalWhen.map { try !reading.isTrue($0, of: project) } ?? false
    }

    /// A draft assigns no numbers: another record might get them before the delivery.
    func numbers() throws -> [(String, [(rowID: String, number: Int64)])] {
        try session.pack.numberings.filter { isUsed($0) && !files.isDraft }.map {
            ($0.name, try reading.giveNumbers($0))
        }
    }

    func write(
        _ standing: Registrar.Standing, _ project: ReadSession.Project, _ summary: SelectionSummary,
        _ findings: [FindingCount], isDraft: Bool
    ) throws -> [FileProduction.Product] {
        let packed = request.packedPhotos, links = PhotoLinks(to: packed, without: absent)
        let content = ExportContent(scope: scope, reading: reading, files: files, missing: missing, photos: links)
        let production = FileProduction(
            scope: scope, request: request, formats: standing.missing, version: standing.version, project: project)
        let products = try production.write(findings: reading.findings) { definition, format in
            // The exports in a bundle may be about records of another kind, such as rooms besides
            // assets.
            let own =
                definition.record == kind.name
                ? summary : try select(project, kind: session.pack.record(definition.record) ?? kind)
            var document = try content.document(
                definition, as: format, in: request.dialect, project, own, findings, isDraft: isDraft)
            document.origin = origin(project, version: files.isDraft || files.isPreview ? nil : standing.version)
            if let form = request.corrections { document.sheets = document.sheets.map(form.marked) }
            try document.sheets.forEach(reportSuppressed)
            return document
        } photos: {
            _ = try select(project, kind: kind)
            return PhotoReader(
                try reading.photos(of: packed?.entity, named: packed?.name), base: session.replicaFolder, absent: absent
            )
        }
        // The line's list has only this export's records, not those selected for the exports in its
        // bundle.
        if request.definition.bundle != nil { _ = try select(project, kind: kind) }
        return products
    }

    private func origin(_ project: ReadSession.Project, version: Int?) -> BookOrigin {
        var origin = BookOrigin(request.definition.name)
        (origin.project, origin.version, origin.line) = (project.code, version, files.line.name)
        (origin.language, origin.isForCorrections) = (session.language, request.corrections != nil)
        origin.made = Timestamp.format(context.asOf)
        return origin
    }

    /// Reports the rows of too small groups that a sheet leaves out, once for all formats.
    private func reportSuppressed(_ sheet: Sheet) throws {
        guard let suppressed = sheet.suppressed, suppressed.rows > 0, toldSuppressed.insert(sheet.name).inserted else {
            return
        }
        try reading.findings.add(
            Finding(
                "EXPORT-SUPPRESSED", place: Place(sheet: sheet.title),
                arguments: [
                    "rows": String(suppressed.rows), "groups": String(suppressed.groups), "sheet": sheet.title,
                    "below": String(suppressed.below),
                ]))
    }

    func fingerprint(_ project: ReadSession.Project) throws -> String {
        var facts = try requestFacts(project)
        for definition in definitions {
            if definition.record != kind.name {
                _ = try select(project, kind: session.pack.record(definition.record) ?? kind)
            }
            facts +=
                [definition.name] + (definition.isAnonymous ? ["anonymous"] : []) + (try reading.facts(of: definition))
        }
        if let bundle = request.definition.bundle {
            _ = try select(project, kind: kind)
            facts += try reading.photoFacts(of: bundle.photoEntity, named: bundle.photoName)
        }
        return Fingerprint.of(facts)
    }

    /// Selects records of a kind. States, dates and a filter apply to the export's own kind; other
    /// kinds are selected by project and sync state.
    private func select(_ project: ReadSession.Project, kind selected: RecordKind) throws -> SelectionSummary {
        var wanted = files.selection
        if selected.name != kind.name {
            wanted = SelectionRequest(projects: wanted.projects, syncStates: wanted.syncStates)
        }
        return try select(selected, in: project, wanted)
    }

    /// The exports whose sheets are needed: this export, or those that it bundles.
    private var definitions: [ExportDefinition] { request.contents(in: session.pack).exports }

    private func isUsed(_ numbering: Numbering) -> Bool {
        definitions.flatMap(\.sheets).flatMap(\.columns).contains { column in
            if case .number(let name, _, _) = column { return name == numbering.name }
            return false
        }
    }
}

/// SHA-256 of facts or bytes as 64 hexadecimal digits, by which a repeated request over unchanged
/// data is recognised.
package enum Fingerprint {
    /// The fingerprint of facts, one to a line.
    package static func of(_ facts: [String]) -> String { SHA256.digest(of: facts.joined(separator: "\n")).hexadecimal }
}

/// One export as the command line or a job's step requests it.
package struct ExportRequest: ProductRequest {
    package var definition: ExportDefinition
    package var files: FileRequest
    package var dialect: CSVDialect
    /// Whether CSV files go into one ZIP.
    package var zipped: Bool
    /// What makes the workbook a form that comes back corrected; nil: it is only read.
    package var corrections: CorrectionForm?

    package init(
        definition: ExportDefinition, files: FileRequest, dialect: CSVDialect = .standard, zipped: Bool = false,
        corrections: CorrectionForm? = nil
    ) {
        (self.files, self.dialect, self.zipped, self.corrections) = (files, dialect, zipped, corrections)
        self.definition = corrections?.definition ?? definition
    }

    package var record: String { definition.record }
    package var choosesByDays: Bool { !definition.asksForDays }
    package func title(_ session: WorkSession) -> String { session.text("export." + definition.name) }
    package func dialect(of format: ExportFormat) -> String? { format == .csv ? dialect.rawValue : nil }

    package func contents(in pack: Pack) -> (exports: [ExportDefinition], reports: [ReportDefinition]) {
        (definition.bundle.map { $0.exports.compactMap { pack.export($0) } } ?? [definition], [])
    }

    package var packedPhotos: PackedPhotos? {
        PackedPhotos(definition.bundle?.photoEntity, definition.bundle?.photoName)
    }

    package func production(_ scope: RunScope, _ reading: ReadSession, _ kind: RecordKind) -> any ProjectFiles {
        ProjectExport(scope: scope, request: self, reading: reading, kind: kind)
    }
}
