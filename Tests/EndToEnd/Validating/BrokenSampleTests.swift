import Foundation
import Model
import Packs
import Testing
import Workbench

/// A sample triggers every finding code, or a test is named for the code. Each broken set states
/// which findings it must give.
@Suite struct BrokenSampleTests {
    /// The sound surveys, and `SYSTEM/broken/SET` of every broken set. Each broken set has an
    /// `.expected.json` beside it.
    static let sets: [String] = ProjectFolder.systems.flatMap { system -> [String] in
        let folder = "\(ProgramRun.root)/Samples/\(system)/broken"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".expected.json") }.sorted().map { "\(system)/broken/\($0.dropLast(".expected.json".count))" } + ["\(system)/survey"]
    }

    /// What a set must give: an exact number of findings, or at least one.
    enum Expected: Decodable {
        case exactly(Int), some

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            self = (try? value.decode(Bool.self)) == true ? .some : .exactly(try value.decode(Int.self))
        }

        func fits(_ count: Int) -> Bool {
            switch self {
            case .exactly(let expected): count == expected
            case .some: count > 0
            }
        }
    }

    struct Stages: Decodable {
        var `import`: [String: Expected]?
        var validate: [String: Expected]?
        var export: [String: Expected]?

        var codes: Set<String> { Set([`import`, validate, export].compactMap { $0 }.flatMap(\.keys)) }
    }

    /// What a set states: which findings it is about, which other findings come with them, and how
    /// it is imported.
    struct Statement {
        var about: Stages
        var how: How

        var codes: Set<String> { about.codes.union(how.beside?.codes ?? []) }

        init(_ data: Data) throws {
            about = try JSONDecoder().decode(Stages.self, from: data)
            how = try JSONDecoder().decode(How.self, from: data)
        }

        struct How: Decodable {
            /// Another set that must be imported before.
            var after: String?
            /// Where the set's files are, if they are not in the folder of its name; the mapping;
            /// other options; the person who imports, if it is not the administrator.
            var source: String?
            var mapping: String?
            var options: [String]?
            var actor: String?
            /// How the import ends; nil: 0.
            var status: Int32?
            var beside: Stages?
        }
    }

    @Test(arguments: sets) func aBrokenSetGivesTheFindingsThatItStates(set: String) throws {
        let stated = try Self.statement(of: set)
        let found = try Self.findings(of: set, stated)
        for (stage, about, beside) in [
            ("import", stated.about.import, stated.how.beside?.import), ("validate", stated.about.validate, stated.how.beside?.validate), ("export", stated.about.export, stated.how.beside?.export),
        ] {
            let expected = (about ?? [:]).merging(beside ?? [:]) { about, _ in about }
            for (code, count) in expected {
                let seen = found[stage]?[code] ?? 0
                #expect(count.fits(seen), "\(set): \(stage) should find \(code) \(count), found \(seen)")
            }
            // An export repeats what the validation found in its records.
            let again = stage == "export" ? found["validate"] ?? [:] : [:]
            for (code, count) in found[stage] ?? [:] where expected[code] == nil && count > again[code] ?? 0 {
                Issue.record("\(set): \(stage) finds \(code) \(count), which is not stated")
            }
        }
    }

    /// Codes that no sample gives, each with the reason. The test that gives the code is in
    /// brackets.
    private static let withoutSample: [String: String] = [
        "BOOK-ACTION": "a workbook that comes back corrected, which is no sample (CorrectedBookTests)",
        "BOOK-SHEET": "a workbook that comes back corrected, which is no sample (CorrectedBookTests)",
        "BOOK-HEADING": "a workbook that comes back corrected, which is no sample (CorrectedBookTests)",
        "BOOK-UNSOUND": "a workbook that comes back corrected, which is no sample (CorrectedBookTests)",
        "BOOK-COLUMN": "a workbook that comes back corrected, which is no sample (CorrectedBookTests)",
        "BOOK-DOUBLE": "a workbook that comes back corrected, which is no sample (CorrectedBookTests)",
        "BOOK-ROW": "a workbook that comes back corrected, which is no sample (CorrectedBookTests)",
        "BOOK-GONE": "a workbook that comes back corrected, which is no sample (CorrectedBookTests)",
        "BOOK-BASE": "a workbook that comes back corrected, which is no sample (CorrectedBookTests)",
        "BOOK-OWNER": "a workbook that comes back corrected, which is no sample (CorrectedBookTests)",
        "BOOK-FORMULA": "a workbook that comes back corrected, which is no sample (CorrectedBookTests)",
        "BOOK-LOCKED": "a workbook that comes back corrected, which is no sample (CorrectedBookTests)",
        "BOOK-CONFLICT": "a workbook that comes back corrected, which is no sample (CorrectedBookTests)",
        "PHOTO-UNREADABLE": "a file whose reading hits a bound that the test lowers (PhotoFileTests)",
        "PHOTO-SIZE": "a file that changed after it came in; an import of a set refuses it before (PhotoFileTests)",
        "PHOTO-CHECKSUM": "as PHOTO-SIZE (PhotoFileTests)",
        "RULE-TIMEOUT": "a rule that runs for seconds, which no rule of the packs does (TableTests)",
        "SHEET-SPLIT": "more rows than a sheet holds, a million (XLSXLimitsTests)",
        "IMPORT-NO-TABLE-STATEMENT": "statements of a server's answer that declare no table, which come as JSON (DeclaredTableTests)",
        "CALENDAR-LEFT-OUT": "rows without a start, which a pack's own rules refuse before (CalendarWriterTests)",
        "CALENDAR-RULE": "a rule that no query of the packs makes (CalendarWriterTests)",
        "EXPORT-SUPPRESSED": "groups that are too small, which are no fault (AnonymousExportTests)",
        "SYNC-CONFLICT": "a row that was changed here and on a server (SyncTests)",
        "SYNC-CLAIMED": "a file that says that a server has its rows (ClaimedSyncTests)",
        "SYNC-UNSOUND": "a record with errors that is sent (SyncTests)",
        "SYNC-NOT-SENT": "a change that a server refuses (SendTests)",
        "SYNC-EVENT-DIFFERS": "an event that comes back with another content (PackageSyncTests)",
        "SYNC-PACKAGE-REFUSED": "a file of an exchange that is no package (PackageSyncTests)",
        "SYNC-FILE-NOT-SENT": "a file that a server refuses (FileSyncTests)",
        "DOCUMENT-DATA-CHANGED": "a document that was changed after it was made (VerifyDocumentTests)",
        "DOCUMENT-DATA-MISSING": "a document of which a file was taken away (VerifyDocumentTests)",
        "SYNC-FILE-MISSING": "a file that is gone before it is sent (FileSyncTests)",
        "SYNC-FILE-NOT-READ": "a file that the disk does not give (FileSyncTests)",
        "SYNC-FILE-CHANGED": "a registered file with another content (FileSyncTests)",
        "SYNC-FILE-NOT-FETCHED": "a file that a server does not give (FileSyncTests)",
        "SYNC-FILE-DIFFERS": "a file that is another on the server (FileSyncTests)",
        "SYNC-VALUES-DIFFER": "a row that was damaged here (DeepProofTests)",
        "ERASED-PERSON": "a person who was erased before (EraseTests)",
        "SYNC-LOST": "a server that was restored from a backup (RestoredServerTests)",
        "SYNC-ROW-MISSING": "a row that was lost here (DeepProofTests)",
        "SYNC-ROW-SURPLUS": "a row that nobody made (DeepProofTests)",
        "SYNC-FIELD-UNKNOWN": "a server without a column (SendTests)",
        "SYNC-VALUE": "a text where the pack has a number (NumberSyncTests)",
        "SYNC-PROJECT": "rows of a project that is nowhere (UnknownProjectSyncTests)",
        "SYNC-FILE-PLACE": "a row that names a place of another project (FileSyncTests)",
        "SYNC-DELETED": "a row that was changed here and deleted on a server (SyncTests)",
        // Changes by commands. An administrator may make them by an import, or an import cannot
        // make them at all.
        "CHANGE-PROJECT": "a person who is no member (JudgeTests)",
        "CHANGE-TRANSITION": "a person whose role may not make the move (JudgeTests)",
        "CHANGE-OWN-MOVE": "a person who moves another's record (MoveConditionTests)",
        "CHANGE-MOVE-RULE": "a record that breaks a rule of the move (MoveConditionTests)",
        "CHANGE-OTHER-FIELD": "a role that sets a field of others (EditableFieldTests)",
        "CHANGE-FROZEN": "a record that nobody changes any more (SameVerdictTests)",
        "IMPORT-DOUBLED": "a file with a membership that is here (LenientRowTests)",
        "CHANGE-NEW-STATE": "a person whose role may not begin in that state (JudgeTests)",
        "CHANGE-NUMBER": "a person who sets a number that exports give (ExportIDTests)",
        "CHANGE-ACT": "a person whose role may not sign (JudgeTests)",
        "CHANGE-EDIT": "a person whose role may not change the record in its state (ChangeTests)",
        "CHANGE-DELETE": "a person whose role may not delete (ChangeTests)",
        "CHANGE-OWN-ROLE": "a person who changes the own role (UsersTests)",
        "CHANGE-NOT-OWN": "a person who chooses for another what is kept offline (OfflineTests)",
        "IMPORT-NOT-TO-SEND": "new rows by a person whose role may not change the table (JudgeTests)",
        "CHANGE-EDITOR": "a person whose role may not change the table (JudgeTests)",
        "CHANGE-OTHER-PROJECT": "fichero edit that refers to another project (JudgeTests)",
        "DELIVERY-MISSING": "a second delivery without a record of the first (MissingRecordTests)",
        "CHANGE-KEY": "fichero add of a name that is taken (ChangeTests)",
        "CHANGE-REQUIRED": "fichero edit that empties a required field (ChangeTests)",
        "CHANGE-CLOSED": "fichero edit of a closed record (ChangeTests)",
        "CHANGE-CONFLICT": "fichero edit of a record in conflict (ConflictTests)",
        "CHANGE-REFERRED": "fichero delete of what others refer to (JudgeTests)",
        "IMPORT-STATES": "states claimed by somebody who is no administrator (JudgeTests)",
        "IMPORT-NOT-ALLOWED": "a table that the importing person's role may not write (SeveralFilesTests)",
        // Findings that need two runs, or a change between two runs.
        "IMPORT-REJECTED-PARENT": "repeats of a submission that was sent twice (RepeatedSubmissionTests)",
        "IMPORT-CLOSED-PART": "a record closed here before the import (RecordHistoryTests)",
        "IMPORT-PLACE-UNKNOWN": "a row rejected by an earlier program (RetryInPlaceTests)",
        "IMPORT-SOURCE-GONE": "a file that is gone when its rows are tried again (LookupRetryTests)",
        "IMPORT-SOURCE-CHANGED": "a file that changed before its rows are tried again (LookupRetryTests)",
        "IMPORT-MAPPING-CHANGED": "a mapping that changed before its rows are tried again (OfficeFormTests)",
        "IMPORT-NO-PHOTO-FILE": "a picture that is gone when its row is tried again (RejectPhotoTests)",
        "IMPORT-AMBIGUOUS": "two records here of one natural key, which no import makes (MappedSourceTests)",
        "IMPORT-OTHER-PROJECT": "a file imported with --project of another one (OfficeFormTests)",
        "IMPORT-ORDER": "several files named in the wrong order (SeveralFilesTests)",
        "IMPORT-UNCOUNTED": "a program that is missing (EvidenceFindingTests)",
        // Tables and files that are too large for a sample, or that only an old program writes.
        "IMPORT-MORE-REPEATS": "over a hundred rows that repeat a record otherwise (MappedReadsTests)",
        "IMPORT-MOVED": "a file that updates rows (ImportReferenceTests)",
        "IMPORT-NOT-HERE": "a file that only updates rows (ImportReferenceTests)",
        "IMPORT-NO-ROWS": "a mapping all of whose tables stay empty: the import is refused as a whole (MappedReadsTests)",
        "IMPORT-SEVERAL": "components of COBie in several spaces; the legacy sample has them (ShippedMappingTests)",
        "IMPORT-NO-NAMED-PHOTO": "a register whose photo is gone; the legacy sample has one (ShippedMappingTests)",
        "IMPORT-CONTENT-SIZE": "a photo of more than sixteen megabytes in a database (PhotoContentTests)",
        "IMPORT-UNREAD-RESULT": "formulas without a value in columns that no field reads (TableAsItStandsTests)",
        "IMPORT-CONVERTED": "an old workbook that LibreOffice converts (XLSFileTests)",
        "IMPORT-NO-MEMO": "a dBase table without its memo file (DBFFileTests)",
        "IMPORT-UNREADABLE-COLUMN": "a type of Access that mdbtools cannot read (AccessFileTests)",
        "IMPORT-LINKED-TABLE": "a database of Access with links (AccessFileTests)",
        "IMPORT-INNER-TABLE": "a database with a program's own tables (SQLiteFileTests)",
        // Forms are workbooks with pictures and merged cells. Each test breaks one place of them.
        "IMPORT-NO-LABEL": "a form without a label (FormTests)",
        "IMPORT-NO-OUTER-LABEL": "a label outside of the form (FormTests)",
        "IMPORT-REPEATED-LABEL": "a label that stands twice (FormTests)",
        "IMPORT-NO-FORM-TABLE": "a form without its table (FormTableTests)",
        "IMPORT-NO-PICTURE": "a picture of a kind that is no photo (FormTableTests)",
        "IMPORT-EMPTY-FORM": "a form that nobody filled in (FormTests)",
        "IMPORT-NO-REQUIRED": "a form without its code (FormTests)",
        "IMPORT-UNREAD-CELL": "values that no field reads (OfficeFormTests)",
        "IMPORT-FILE-PENDING": "a tree of folders (FolderTreeTests)",
        "IMPORT-FILE-REFUSED": "a tree of folders (FolderTreeTests)",
        "IMPORT-BELOW": "a tree of folders (FolderTreeTests)",
        "IMPORT-FILE-LEFT-OUT": "a tree of folders (FolderTreeTests)",
        "IMPORT-EXCLUDES-NOTHING": "a pattern that fits no file (FolderTreeTests)",
        "IMPORT-PICTURES-LEFT": "a tree of folders (FolderTreeTests)",
        "IMPORT-NAMES-NONE": "a photo of no pit (PictureFolderTests)",
        "IMPORT-NAMES-SEVERAL": "a photo of two pits (PictureFolderTests)",
        "IMPORT-NO-IMAGE": "a page in place of a photo (PictureFolderTests)",
        "IMPORT-SAME-PICTURE": "a photo and its copy (PictureFolderTests)",
        "IMPORT-SAME-NAME": "two photos of a pit with one name (PictureFolderTests)",
        "IMPORT-CAMERA-ZONE": "a camera that says no zone (PictureFolderTests)",
        "IMPORT-OTHER-FILE": "a text beside photos (PictureFolderTests)",
        "IMPORT-UNREAD-ROW": "rows of a table that the mapping does not have (ForeignFormTests)",
        "IMPORT-UNREAD-FORM": "a form that the mapping does not see (OfficeFormTests)",
        // Logs of events, floor plans and drawings.
        "EVENT-TYPE-UNKNOWN": "an event of a type of tomorrow (EventLogTests)",
        "EVENT-DELETED": "a record here that a log ends (EventLogTests)",
        "PLAN-FILES-DIFFER": "a folder of the app whose files contradict each other (FloorPlanTests)",
        "DRAWING-BACKGROUND": "a background of kinds that are not drawn (FloorPlanTests)",
        "DRAWING-BLOCK": "blocks that are missing or circle (FloorPlanTests)",
        "DRAWING-NO-LEVEL": "a drawing without a level; the import is refused (FloorPlanTests)",
        "DRAWING-NUMBERS": "more rooms on a level than numbers (FloorPlanTests)",
    ]

    @Test func everyCodeHasASample() throws {
        let stated = try Self.sets.reduce(into: Set<String>()) { $0.formUnion(try Self.statement(of: $1).codes) }
        for declaration in FindingCatalogue.declarations where Self.withoutSample[declaration.code] == nil {
            #expect(stated.contains(declaration.code), "no sample triggers \(declaration.code)")
        }
        for code in Self.withoutSample.keys.sorted() {
            #expect(FindingCatalogue.declares(code), "\(code) is no code")
            #expect(!stated.contains(code), "a sample triggers \(code): it needs no exemption")
        }
        let templates = URL(fileURLWithPath: ProgramRun.root + "/Templates")
        for name in ProjectFolder.systems {
            let pack = try PackLoader.load(name, from: templates)
            for code in pack.rules.flatMap(\.findingCodes) + pack.refusals.map(\.code) where Self.withoutSample[code] == nil {
                #expect(stated.contains(code), "no sample triggers \(name)'s \(code)")
            }
        }
    }

    /// A code that no sample gives must stand in the source of the suite that its line names.
    @Test func whatHasNoSampleHasATest() throws {
        let tests = ProgramRun.root + "/Tests"
        let files = try FileManager.default.subpathsOfDirectory(atPath: tests).filter { $0.hasSuffix(".swift") && !$0.hasSuffix("BrokenSampleTests.swift") }
        for (code, why) in Self.withoutSample.sorted(by: { $0.key < $1.key }) {
            let suite = try #require(why.firstMatch(of: /\((\w+)\)$/)?.output.1, "\(code) names no suite: \(why)")
            // A suite may be spread over several files: `FormTests+Distance.swift`.
            let texts = try files.filter { $0.contains("/\(suite).swift") || $0.contains("/\(suite)+") }.map { try String(contentsOfFile: tests + "/" + $0, encoding: .utf8) }
            let words = Set(texts.joined().split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
            #expect(words.contains(code), "\(suite) does not name \(code)")
        }
    }

    @Test(arguments: ProjectFolder.systems) func theMainSamplesHaveNoErrors(system: String) throws {
        let office = try Office(system: system)
        let result = try office.run("validate", "--json")
        #expect(result.status == 0, "\(result.output.prefix(2000))")
    }

    /// The exports that the third stage makes.
    private static let exports = [
        "ingeplus": ["calicatas"], "anagrafica": ["assets", "client-package"], "interrapidisimo": ["localidades", "tablas", "usuarios", "fotos"],
        "mesync": ["completo"], "yaquedamos": ["todo", "actividades"],
    ]

    /// The codes that each stage finds in a set, with their counts.
    private static func findings(of set: String, _ stated: Statement) throws -> [String: [String: Int]] {
        let system = String(set.prefix { $0 != "/" })
        let office = try Office(system: system, set: nil)
        if let after = stated.how.after { try office.bringIn("broken/" + after) }
        let folder = "\(ProgramRun.root)/Samples/\(system)/"
        var options = (stated.how.options ?? []) + ["--json", "--fail-on", "never", "--actor", stated.how.actor ?? Office.administrator]
        if let mapping = stated.how.mapping { options += ["--mapping", folder + "broken/" + mapping] }
        let imported = try office.run(["import", stated.how.source.map { folder + "broken/" + $0 } ?? "\(ProgramRun.root)/Samples/\(set)"] + options)
        guard imported.status == stated.how.status ?? 0 else { throw Office.Trouble(imported) }
        var found: [String: [String: Int]] = [:]
        found["import"] = try counts(in: imported.output)
        let validated = try office.run("validate", "--json", "--fail-on", "never")
        guard validated.status == 0 else { throw Office.Trouble(validated) }
        found["validate"] = try counts(in: validated.output)
        for export in exports[system] ?? [] {
            let exported = try office.run("export", export, "--policy", "mark", "--allow-empty", "-o", "out", "--json", "--fail-on", "never")
            // A photo that is not that of its record counts whatever `--fail-on` says.
            guard exported.status <= 1 else { throw Office.Trouble(exported) }
            found["export", default: [:]].merge(try counts(in: exported.output), uniquingKeysWith: max)
        }
        return found
    }

    /// Counts the `code` members of all findings in a JSON text. A member `count` beside a code
    /// says how often it occurred.
    private static func counts(in text: String) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        func walk(_ value: Any) {
            if let object = value as? [String: Any] {
                if let code = object["code"] as? String, object["severity"] != nil {
                    counts[code, default: 0] += object["count"] as? Int ?? 1
                }
                object.values.forEach(walk)
            } else if let items = value as? [Any] {
                items.forEach(walk)
            }
        }
        walk(try JSONSerialization.jsonObject(with: Data(text.utf8)))
        return counts
    }

    private static func statement(of set: String) throws -> Statement {
        let data = try Data(contentsOf: URL(fileURLWithPath: ProgramRun.root + "/Samples/" + set + ".expected.json"))
        return try Statement(data)
    }
}
