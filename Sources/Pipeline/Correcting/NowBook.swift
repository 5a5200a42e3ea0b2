import Exporting
import Foundation
import Importing
import Model
import Replica

/// The workbook as an export would write it now, with all rows of the project: what the replica says of the rows
/// that come back, in the very form in which the workbook says it.
struct NowBook {
    private let session: WorkSession
    private let actor: Actor
    private let form: CorrectionForm
    private let language: Language
    private let project: String

    /// A written workbook, which goes with the value.
    final class Written {
        let file: XLSXFile
        let sheets: [BookSheet]
        private let folder: PrivateFolder

        init(_ file: XLSXFile, _ sheets: [BookSheet], in folder: PrivateFolder) {
            (self.file, self.sheets, self.folder) = (file, sheets, folder)
        }
    }

    init(
        _ session: WorkSession, _ actor: Actor, _ definition: ExportDefinition, _ origin: BookOrigin, project: String
    ) {
        (self.session, self.actor, self.project) = (session, actor, project)
        form = CorrectionForm(definition, for: actor, in: session)
        language = origin.language ?? session.language
    }

    /// The sheets and headings alone, for workbooks that are there already.
    func layout() throws -> [BookSheet] {
        let document = try document(selecting: nil)
        return try bookSheets(document.sheets, BookLayout(document))
    }

    /// - Parameter selected: what the export would select; nil: all rows of the project.
    func written(selecting selected: SelectionRequest? = nil) throws -> Written {
        let document = try document(selecting: selected)
        let folder = try PrivateFolder()
        let written = try XLSXWriter().write(
            document, stem: folder.url.appendingPathComponent("now").path, findings: FindingList(), progress: { _ in })
        let sheets = try bookSheets(document.sheets, BookLayout(document))
        return Written(try XLSXFile(path: written[0].temporaryPath), sheets, in: folder)
    }

    private func document(selecting selected: SelectionRequest?) throws -> ExportDocument {
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: actor, projects: [project],
            timeZone: session.timeZone, asOf: session.asOf)
        guard let kind = session.pack.record(form.definition.record), let only = reading.projects.first else {
            throw SettingFailure.unknownExport(form.definition.name, known: session.pack.exports.map(\.name))
        }
        try select(kind, in: only, reading, selected)
        return ExportDocument(
            name: form.definition.name, packName: session.pack.name, packVersion: session.pack.version,
            cover: Cover(title: "", subtitle: "", lines: [], tables: [], author: ""),
            sheets: try reading.sheets(of: form.definition, language: language, labelled: true),
            language: language, timeZone: session.timeZone, asOf: session.asOf, texts: session.pack.texts)
    }

    private func select(
        _ kind: RecordKind, in project: ReadSession.Project, _ reading: ReadSession, _ selected: SelectionRequest?
    ) throws {
        guard let selected else {
            var request = SelectionRequest()
            request.syncStates = SyncState.allCases
            _ = try reading.select(kind, in: project, request, hasRemote: true)
            return
        }
        let withholds = form.definition.policy == .withholdRecords
        if withholds {
            _ = try session.validate(reading, keepingIn: nil)
            reading.findings.closeValidation()
        }
        _ = try reading.select(
            kind, in: project, selected, hasRemote: session.hasRemote, byDays: !form.definition.asksForDays)
        if withholds { _ = try reading.withholdRecordsWithErrors() }
    }

    private func bookSheets(_ sheets: [Sheet], _ layout: BookLayout) -> [BookSheet] {
        zip(sheets, layout.sheets).compactMap { sheet, place -> BookSheet? in
            guard let described = form.definition.sheets.first(where: { $0.name == sheet.name }),
                let entity = session.pack.entity(described.entity),
                let idName = CorrectionForm.idColumn(of: described),
                let id = sheet.columns.firstIndex(where: { $0.name == idName })
            else { return nil }
            return bookSheet(sheet, as: described, of: entity, id: id, place)
        }
    }

    private func bookSheet(
        _ sheet: Sheet, as described: ExportSheet, of entity: Entity, id: Int, _ place: BookLayout.Sheet
    ) -> BookSheet {
        let fields = form.fields(of: described)
        let open = sheet.columns.map { fields[$0.name] }
        let shown = sheet.columns.map { endField($0.name, of: described, entity) }
        let ofProject = sheet.columns.indices.filter { showsProject(sheet.columns[$0].name, of: described, entity) }
        var book = BookSheet(
            names: place.names, headings: place.headings,
            actionHeading: session.pack.texts.text("sheet.action", in: language), entity: entity, fields: open, id: id,
            key: sheet.columns.indices.filter {
                sheet.columns[$0].isOfKey && $0 != id && !ofProject.contains($0)
            },
            isCompared: shown.map { $0?.name != "updated_at" },
            isSeen: shown.map { field in field.map { actor.sees($0, of: session.pack) } ?? true })
        book.project = (ofProject.filter { shown[$0]?.name == session.pack.project.code }, project)
        (book.isOptional, book.words) = (described.forEach != nil, words(open))
        book.owner = form.owner(of: described).flatMap { owner in
            sheet.columns.firstIndex { $0.name == owner.column }.map { (field: owner.field, column: $0) }
        }
        return book
    }

    /// The field at the end of a column's path; nil where the column shows no field.
    private func endField(_ name: String, of sheet: ExportSheet, _ entity: Entity) -> Field? {
        for case .field(let path, let own, _, _) in sheet.columns where own == name {
            return session.pack.ownerAndField(at: path, from: entity)?.1
        }
        return nil
    }

    /// What the words of the columns stand for.
    private func words(_ fields: [Field?]) -> [Int: [String: String]] {
        let pack = session.pack
        var words: [Int: [String: String]] = [:]
        for (column, field) in fields.enumerated() {
            if let vocabulary = field?.vocabulary.flatMap({ pack.vocabulary($0) }) {
                words[column] = vocabulary.valuesByWord(pack.texts, ColumnName.folded)
            }
        }
        return words
    }

    /// Whether a column shows the project that a row belongs to. In a workbook of one project it is the same in all
    /// rows, and people leave it empty in new ones.
    private func showsProject(_ name: String, of sheet: ExportSheet, _ entity: Entity) -> Bool {
        let pack = session.pack
        return sheet.columns.contains { column in
            guard case .field(let path, let own, _, _) = column, own == name, path.parts.count > 1 else { return false }
            return pack.ownerAndField(at: path, from: entity)?.0.name == pack.project.entity
        }
    }
}
