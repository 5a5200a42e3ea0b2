import Foundation
import Model
import Packs
import Testing
import Workbench

/// A name that only one system uses stands only in its pack. The program names no table, field or
/// event of a pack.
@Suite struct SystemNamesTests {
    private static let root = ProjectFolder.root

    /// Words that have another meaning in a file of the program, with the meaning for each file.
    private static let byChance = Dictionary(uniqueKeysWithValues: meanings.flatMap { $0.files.map { ($0.key, Set($0.value.split(separator: " ").map(String.init))) } })

    private static let meanings: [(why: String, files: [String: String])] = [
        (
            "Arguments of findings; the word for a level in what a broken file is told.",
            [
                "Importing/Plans/AppFolder.swift": "family level levels room",
                "Importing/Plans/FloorPlan.swift": "level levels",
                "Importing/Plans/RowFaults.swift": "code",
            ]
        ),
        (
            "Words of options, what stands for a value in help, examples in help, and members of results as JSON.",
            [
                "CommandLineTool/Commands/ChangeOptions.swift": "code",
                "CommandLineTool/Commands/ConflictsCommand.swift": "code",
                "CommandLineTool/Commands/DrawCommand.swift": "code kind title",
                "CommandLineTool/Commands/EditCommand.swift": "state",
                "CommandLineTool/Commands/HistoryCommand.swift": "code",
                "CommandLineTool/Commands/ImportCommand.swift": "code",
                "CommandLineTool/Commands/OfflineCommand.swift": "project",
                "CommandLineTool/Commands/PackageCommand.swift": "code photos",
                "CommandLineTool/Commands/RejectsCommand.swift": "state",
                "CommandLineTool/Commands/ReportCommand.swift": "code",
                "CommandLineTool/Commands/ReviewCommand.swift": "state",
                "CommandLineTool/Commands/SelectionOptions.swift": "code state",
                "CommandLineTool/Commands/ValidateCommand.swift": "code",
                "CommandLineTool/Commands/VerifyCommand.swift": "code",
            ]
        ),
        (
            "Placeholders of messages about a server: where it is, and its SQLSTATE.",
            [
                "Postgres/PostgresFailure.swift": "address state",
                "Remotes/Remotes.swift": "address",
                "Remotes/Supabase/SupabaseFailure.swift": "address state",
                "Web/WebFailure.swift": "address",
                "CommandLineTool/Setting/RemoteAddress.swift": "address",
            ]
        ),
        (
            "Keys and headers of PostgREST, Auth and Storage.",
            [
                "Remotes/Supabase/RestServer.swift": "code",
                "Remotes/Supabase/SupabaseSession.swift": "code",
                "Remotes/Supabase/SupabaseStorage.swift": "location size",
            ]
        ),
        (
            "The configuration's own key.",
            [
                "CommandLineTool/Setting/Configuration.swift": "orgId",
            ]
        ),
        (
            "A parameter of functions in SQL: the project that a sync asks for.",
            [
                "ServerSchema/SyncFunctions.swift": "project",
                "Remotes/Supabase/SupabaseLook.swift": "project",
                "CommandLineTool/Pipeline/FileMove.swift": "project",
                "CommandLineTool/Output/SyncText.swift": "project",
            ]
        ),
        (
            "Keys of the program's texts, and members of results as JSON.",
            [
                "CommandLineTool/Pipeline/ExportContent.swift": "code",
                "CommandLineTool/Pipeline/ChangedRecords.swift": "code",
                "CommandLineTool/Output/AcceptanceText.swift": "code state",
                "CommandLineTool/Output/CellLines.swift": "number",
                "CommandLineTool/Output/ConflictsText.swift": "state",
                "CommandLineTool/Output/ErrorOutput.swift": "code",
                "CommandLineTool/Output/ExportText.swift": "project",
                "CommandLineTool/Output/FileDescription.swift": "side",
                "CommandLineTool/Output/HistoryText.swift": "code project state",
                "CommandLineTool/Output/ImportAccountFiles.swift": "title",
                "CommandLineTool/Output/RejectsText.swift": "code state",
                "CommandLineTool/Output/SyncStatusText.swift": "project",
                "CommandLineTool/Output/UsersText.swift": "projects state",
                "CommandLineTool/Pipeline/CoverBuilder.swift": "project",
                "CommandLineTool/Pipeline/ImportRound.swift": "projects",
                "CommandLineTool/Pipeline/RunScope.swift": "code",
                "CommandLineTool/Setting/CommandSession.swift": "code",
            ]
        ),
        (
            "Keys and words of the pack format, and what its mistakes quote.",
            [
                "Blocks/Values/ReportValue.swift": "code",
                "Blocks/Kinds/TitleBlock.swift": "level title",
                "Blocks/Kinds/SummaryBlock.swift": "depth_m title",
                "Blocks/Kinds/SketchBlock.swift": "easting northing",
                "Blocks/Kinds/QueryTableBlock.swift": "title",
                "Blocks/Kinds/PlanBlock.swift": "background boundary polygon state",
                "Blocks/Kinds/PivotBlock.swift": "title",
                "Blocks/Kinds/PhotosBlock.swift": "caption photos title",
                "Blocks/Kinds/LogBlock.swift": "description number",
                "Blocks/Kinds/ChartBlock.swift": "kind title",
                "Blocks/BlockKey.swift": "title",
                "Blocks/Assembling/ReportAssembler.swift": "project",
                "Model/Pack/Entity.swift": "parameters project projects",
                "Model/Pack/EventLogDefinition.swift": "payload project types",
                "Model/Pack/ExportDefinition.swift": "number parameters photos",
                "Model/Pack/ImportForm.swift": "latitude longitude",
                "Model/Pack/ImportMapping+Node.swift": "instance photo",
                "Model/Pack/ImportMapping.swift": "title",
                "Model/Pack/Job.swift": "code projects",
                "Model/Pack/Pack.swift": "code events project",
                "Model/Pack/PhotoCheck.swift": "datum easting latitude longitude northing",
                "Model/Pack/PlanDefinition.swift": "area background boundary centroid level levels number polygon project rooms",
                "Model/Pack/PlanFolder.swift": "background families level number parameters polygon project room",
                "Model/Pack/RecordKind.swift": "state",
                "Model/Pack/Rule.swift": "code photo",
                "Model/Report/ReportDefinition.swift": "photos project size title",
                "Model/Report/ReportParameters.swift": "project",
                "Packs/Checks/CheckContext.swift": "kind",
                "Packs/Checks/EntityCheck.swift": "parameters project",
                "Packs/Checks/EventCheck.swift": "payload project types",
                "Packs/Checks/ExportCheck.swift": "number parameters photos",
                "Packs/Checks/FormCheck.swift": "photo",
                "Packs/Checks/ImportCheck.swift": "photo",
                "Packs/Checks/JobCheck.swift": "code project",
                "Packs/Checks/ManifestCheck.swift": "code events project state",
                "Packs/Checks/PackCheck.swift": "code",
                "Packs/Checks/PhotoRuleCheck.swift": "datum easting latitude longitude northing photo",
                "Packs/Checks/PlanCheck.swift": "area background boundary centroid families level levels number parameters polygon project rooms",
                "Packs/Checks/ReportCheck.swift": "photos title",
                "Packs/Checks/RuleCheck.swift": "code kind photo",
                "Packs/Checks/TextCheck.swift": "code title",
                "Packs/Describing/DescriptionWords.swift": "Type state",
                "Packs/Describing/FindingDescription.swift": "code title",
                "Packs/Describing/PackDescription+JSON.swift": "code photo project state title",
                "Packs/Describing/PackageSchema.swift": "description number photos project title",
                "Packs/Format/PackFormat+Entities.swift": "code datum easting instance latitude longitude northing parameters photo project",
                "Packs/Format/PackFormat+Events.swift": "events payload project types",
                "Packs/Format/PackFormat+Exports.swift": "code instance number parameters photos projects",
                "Packs/Format/PackFormat+Imports.swift": "instance photo title",
                "Packs/Format/PackFormat+Plans.swift": "area background boundary centroid families level levels number parameters polygon project room rooms",
                "Packs/Format/PackFormat+Reports.swift": "photos size title",
                "Packs/Format/PackFormat.swift": "code events project state",
                "Packs/Format/PackSchema.swift": "description number title",
                "Packs/Mistakes/MistakeList.swift": "kind",
                "Packs/Mistakes/PackWord.swift": "kind state",
            ]
        ),
        (
            "Arguments of findings.",
            [
                "Model/Findings/FindingCatalogue.swift": "events family level levels location project projects room state",
            ]
        ),
        (
            "Names that other programs' files have.",
            [
                "Counting/SpreadsheetML2003Count.swift": "Type",
                "Counting/XLSXCount.swift": "Type",
                "Importing/Formats/Access/AccessPrograms.swift": "Type",
                "Importing/Formats/XLSX/SheetDetailsReader.swift": "location",
                "Importing/Formats/XLSX/WorkbookParts.swift": "Type",
                "Importing/Formats/XLSXFile.swift": "state",
                "Importing/Formats/XML2003/XML2003Rows.swift": "Type",
            ]
        ),
        (
            "The package's manifest.",
            [
                "Importing/Formats/Package/PackageManifest.swift": "photos",
            ]
        ),
        (
            "Members of our own files, and what stands for a value in their names.",
            [
                "Exporting/SQLite/SQLiteWords.swift": "kind title",
                "Exporting/Bundle/BundleIndex.swift": "state",
                "Exporting/CSV/CSVAbout.swift": "title",
                "Exporting/XML/XMLHead.swift": "author title",
                "Exporting/XML/XMLWriter.swift": "title",
                "Recording/OutputName.swift": "project",
            ]
        ),
        (
            "The bound on events has this name; the member under which a deletion keeps its event.",
            [
                "Importing/Events/EventLog.swift": "event events",
                "Importing/Tables/ReadingBound.swift": "events",
            ]
        ),
        (
            "The Spanish word for a chainage, written before one; an argument of a finding.",
            [
                "Importing/Mapping/CellConversion+Applying.swift": "progresiva project",
            ]
        ),
        (
            "Arguments of findings and failures, words of pack formats that are written or read.",
            [
                "Importing/Formats/Package/PackageFailure.swift": "kind",
                "Importing/ImportFailure.swift": "kind",
                "Importing/Mapping/ForeignSchema.swift": "number",
                "Importing/Mapping/RowsAround.swift": "number",
                "Importing/Suggesting/SuggestedYAML.swift": "title",
                "Importing/Tables/TableFailure.swift": "kind",
            ]
        ),
        (
            "Arguments of findings and failures, columns of the program's own tables, members of what it keeps.",
            [
                "Replica/Changing/AcceptanceChange.swift": "code",
                "Replica/Importing/Applying/ImportApplication.swift": "state",
                "Replica/Importing/Staging/ImportStaging.swift": "photos",
                "Replica/Judging/Judge+Removal.swift": "state",
                "Replica/Judging/Judge+States.swift": "state",
                "Replica/Opening/Doctor.swift": "code",
                "Replica/Opening/People.swift": "project",
                "Replica/Opening/ReplicaFailure.swift": "code",
                "Replica/Reading/ExportFacts.swift": "number",
                "Replica/Reading/Functions/SQLFunctions+Parameters.swift": "kind number",
                "Replica/Reading/GivenNumbers.swift": "number",
                "Replica/Reading/ParameterColumn.swift": "instance number parameters title",
                "Replica/Reading/ReportRows.swift": "project",
                "Replica/Registering/KeptValidations.swift": "projects",
                "Replica/Registering/PackageNote.swift": "photos",
                "Replica/Pushing/SentItems.swift": "photos",
            ]
        ),
        (
            "Keys of the program's texts, and the query that every report has.",
            [
                "Reporting/Drawings/DrawingMaker.swift": "asset description",
            ]
        ),
        (
            "Words of JSON Schema.",
            [
                "Schemas/SchemaCompiler+Applicators.swift": "instance title",
                "Schemas/SchemaNode.swift": "number",
            ]
        ),
        (
            "Words of JSON Schema and of lists of parameters (`Docs/family-schemas.md`).",
            [
                "Validating/Parameters/FamilySchemas.swift": "families",
                "Validating/Parameters/ParameterFault.swift": "location number",
                "Validating/Parameters/ParameterListForm.swift": "instance number",
                "Validating/Parameters/ParameterSchemaParser.swift": "parameters",
            ]
        ),
        (
            "Arguments of findings, and members of reports of findings.",
            [
                "Validating/Findings/FindingWriter.swift": "family",
                "FindingDocuments/FindingJSON.swift": "code project title",
                "FindingDocuments/FindingSARIF.swift": "kind level project",
                "FindingDocuments/Page/FindingPage.swift": "code project",
            ]
        ),
    ]

    /// Names of tables, fields and events of all packs, and other names of fields. Names that the
    /// shared core uses are left out.
    private static func names() throws -> Set<String> {
        var own: Set<String> = [], core: Set<String> = []
        for pack in try PackLoader.loadAll(from: root.appendingPathComponent("Templates")) {
            for entity in pack.entities {
                let names = [entity.name] + entity.aliases + entity.fields.flatMap { [$0.name] + $0.aliases }
                if entity.isCore { core.formUnion(names) } else { own.formUnion(names) }
            }
            guard let events = pack.events, let type = pack.entity(events.entity)?.field(events.type) else { continue }
            own.formUnion(type.vocabulary.flatMap { pack.vocabulary($0) }?.entries.flatMap { [$0.value] + $0.aliases } ?? [])
        }
        return own.subtracting(core)
    }

    /// The pack's names in a literal. An ordinary word counts only if it is the whole literal or if
    /// SQL uses it as a table.
    private static func names(in literal: String, of all: Set<String>) -> Set<String> {
        var found = Set(literal.matches(of: /[A-Za-z][A-Za-z0-9_]*/).map { String($0.output) }.filter { !isWord($0) })
        found.formUnion(literal.matches(of: /\b(?:FROM|JOIN|INTO|UPDATE)\s+"?(\w+)/).map { String($0.output.1) })
        return found.union([literal]).intersection(all)
    }

    private static func isWord(_ name: String) -> Bool { name.dropFirst().allSatisfy { $0.isASCII && $0.isLowercase } }

    private static func sources() throws -> [(file: String, text: String)] {
        let folder = root.appendingPathComponent("Sources")
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }.sorted().map {
            ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
        }
    }

    @Test("The program has no name of a pack's table, field or event, except words with another meaning in that file")
    func noNames() throws {
        let names = try Self.names()
        try #require(names.count > 100 && names.isSuperset(of: ["calicata_cortes", "photoMin", "RoomStateChanged", "ROOM_NOTE_DELETED"]))
        var found: [String: Set<String>] = [:]
        for (file, text) in try Self.sources() {
            for literal in SwiftLiterals(text).all { found[file, default: []].formUnion(Self.names(in: literal, of: names)) }
        }
        for (file, words) in found.sorted(by: { $0.key < $1.key }) {
            let own = Self.byChance[file] ?? []
            #expect(words.subtracting(own).isEmpty, "Sources/\(file) names what belongs into a pack")
        }
        for (file, words) in Self.byChance.sorted(by: { $0.key < $1.key }) {
            #expect(words.subtracting(found[file] ?? []).isEmpty, "Sources/\(file) no longer has these: they go from the list")
        }
    }

    @Test("String literals are found in code and not in comments")
    func literals() {
        let code = ##"""
            // "comment" and /* "more" */
            /* "block" /* "within" */ "still" */ let a = "plain", b = "with \"quotes\" and \(c ? "inner" : f("deep")) end"
            let d = #"raw "text" \(no) \#("yes")"#, e = """
                lines "of" \("text")
                """
            """##
        #expect(SwiftLiterals(code).all == [
            "plain", "inner", "deep", #"with \"quotes\" and  end"#, "yes", #"raw "text" \(no) "#, "text", "\n    lines \"of\" \n    ",
        ])
    }

    @Test("Names are found inside literals, and ordinary words only if they stand alone or name a table", arguments: [
        ("photo_ids", ["photo_ids"]), ("SELECT a, photo_ids FROM b", ["photo_ids"]), ("levels", ["levels"]), ("the levels of it", []),
        ("SELECT 1 FROM levels WHERE 1", ["levels"]), ("photo_idsx", []), ("RoomStateChanged!", ["RoomStateChanged"]),
    ])
    func found(literal: String, expected: [String]) {
        #expect(Self.names(in: literal, of: ["photo_ids", "levels", "RoomStateChanged"]) == Set(expected))
    }
}

/// The string literals of Swift code. A literal inside an interpolation comes before the one around
/// it.
private struct SwiftLiterals {
    private(set) var all: [String] = []
    private let code: [Character]
    private var next = 0

    init(_ text: String) {
        code = Array(text)
        scan(until: nil)
    }

    private func stands(_ mark: String, at place: Int? = nil) -> Bool {
        let place = place ?? next
        return place + mark.count <= code.count && zip(mark, code[place...]).allSatisfy { $0 == $1 }
    }

    /// - Parameter end: the bracket that ends an interpolation; nil for the end of the code.
    private mutating func scan(until end: Character?) {
        var depth = 0
        while next < code.count {
            if stands("//") {
                while next < code.count, !code[next].isNewline { next += 1 }
            } else if stands("/*") {
                skipBlock()
            } else if code[next] == "\"" || code[next] == "#", let marks = opening() {
                literal(marks)
            } else {
                if code[next] == "(" { depth += 1 }
                if code[next] == ")" {
                    if depth == 0, end != nil { return }
                    depth -= 1
                }
                next += 1
            }
        }
    }

    private mutating func skipBlock() {
        var depth = 0
        repeat {
            if stands("/*") { (depth, next) = (depth + 1, next + 2) } else if stands("*/") { (depth, next) = (depth - 1, next + 2) } else { next += 1 }
        } while depth > 0 && next < code.count
    }

    /// The quotation marks around a literal that begins here, and the mark before an escaped
    /// character.
    private func opening() -> (open: String, close: String, escape: String)? {
        let hashes = String(code[next...].prefix { $0 == "#" })
        let quote = stands("\"\"\"", at: next + hashes.count) ? "\"\"\"" : "\""
        guard stands(quote, at: next + hashes.count) else { return nil }
        return (hashes + quote, quote + hashes, "\\" + hashes)
    }

    private mutating func literal(_ marks: (open: String, close: String, escape: String)) {
        next += marks.open.count
        var text = ""
        while next < code.count, !stands(marks.close) {
            guard stands(marks.escape) else {
                text.append(code[next])
                next += 1
                continue
            }
            let after = next + marks.escape.count
            if after < code.count, code[after] == "(" {
                next = after + 1
                scan(until: ")")
                next += 1
            } else {
                text += String(code[next..<min(code.count, after + 1)])
                next = after + 1
            }
        }
        next += marks.close.count
        all.append(text)
    }
}
