import Foundation
import Model
import Packs
import Testing

/// Every finding code is triggered by a sample: the broken sets say what must be found, and together they cover every code.
@Suite struct BrokenSampleTests {
    /// `SYSTEM/broken/SET` of every broken set: the packages that have an `.expected.json` beside them.
    static let sets: [String] = ["ingeplus", "anagrafica"].flatMap { system in
        let folder = "\(ProgramRun.root)/Samples/\(system)/broken"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".expected.json") }.sorted().map { "\(system)/broken/\($0.dropLast(".expected.json".count))" }
    }

    /// What a set must give: a number of findings exactly, or at least one.
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

    struct Statement: Decodable {
        var after: String?
        var `import`: [String: Expected]?
        var validate: [String: Expected]?
        var export: [String: Expected]?

        var codes: Set<String> { Set([`import`, validate, export].compactMap { $0 }.flatMap(\.keys)) }
    }

    @Test(arguments: sets) func aBrokenSetGivesTheFindingsThatItStates(set: String) throws {
        let stated = try Self.statement(of: set)
        let found = try Self.findings(of: set, after: stated.after)
        for (stage, expected) in [("import", stated.import), ("validate", stated.validate), ("export", stated.export)] {
            for (code, count) in expected ?? [:] {
                let seen = found[stage]?[code] ?? 0
                #expect(count.fits(seen), "\(set): \(stage) should find \(code) \(count), found \(seen)")
            }
        }
    }

    @Test func everyCodeHasASample() throws {
        let stated = try Self.sets.reduce(into: Set<String>()) { $0.formUnion(try Self.statement(of: $1).codes) }
        // What only data of a size or kind that no sample should have, or files changed later, can trigger; each has a test of its own.
        let ownTests: Set<String> = [
            "RULE-TIMEOUT", "SHEET-SPLIT", "PHOTO-UNREADABLE", "PHOTO-SIZE", "PHOTO-CHECKSUM",
            // Conversions that no shipped mapping asks for, or that need a replica with doubles.
            "IMPORT-NO-YES-NO", "IMPORT-NO-MATCH", "IMPORT-NOT-IN-LOOKUP", "IMPORT-ERROR-CELL", "IMPORT-AMBIGUOUS", "IMPORT-NOT-ALLOWED",
            // Forms that are not what their mapping expects: FormTests, FormTableTests.
            "IMPORT-NO-LABEL", "IMPORT-REPEATED-LABEL", "IMPORT-NO-FORM-TABLE", "IMPORT-NO-PICTURE", "IMPORT-EMPTY-FORM", "IMPORT-NO-REQUIRED",
            // Files of old programs: DBFFileTests, AccessFileTests, SQLiteFileTests; EvidenceFindingTests.
            "IMPORT-CODE-PAGE", "IMPORT-UNCOUNTED", "IMPORT-NO-MEMO", "IMPORT-UNREADABLE-COLUMN", "IMPORT-LINKED-TABLE", "IMPORT-INNER-TABLE",
            // Forms and mappings of offices: OfficeFormTests, FormTests, CellConversionTests.
            "IMPORT-NO-OUTER-LABEL", "IMPORT-UNREAD-CELL", "IMPORT-UNREAD-FORM", "IMPORT-NO-RANGE", "IMPORT-NO-ROW-ABOVE", "IMPORT-OTHER-PROJECT",
            "IMPORT-MAPPING-CHANGED",
            // What is known when all rows, or all files, have been read: MappedReadsTests, RoundedValuesTests, SeveralFilesTests.
            "IMPORT-ALL-LEFT-OUT", "IMPORT-NO-ROWS", "IMPORT-DIFFERENT-REPEAT", "IMPORT-MORE-REPEATS", "IMPORT-ROUNDED", "IMPORT-NOT-MEMBER",
            "IMPORT-ORDER",
            // Lookups, states, values that stand twice, rows tried again: LookupFindingTests, LookupRetryTests, RowStateTests, DoubledValueTests.
            "IMPORT-LOOKUP-TWICE", "IMPORT-LOOKUP-NOWHERE", "IMPORT-LOOKUP-KEY", "IMPORT-LOOKUP-NUMBER", "IMPORT-SOURCE-GONE", "IMPORT-SOURCE-CHANGED",
            "IMPORT-STATE", "IMPORT-DIFFERENT-COLUMNS", "IMPORT-SAME-KEY",
            // Tables as offices have them: TableAsItStandsTests.
            "IMPORT-LEFT-OUT-RECORD", "IMPORT-MORE-CELLS", "IMPORT-NO-COLUMN", "IMPORT-NO-RESULT", "IMPORT-UNREAD-TABLE",
            // A row kept by a program that did not keep its number: RetryInPlaceTests.
            "IMPORT-PLACE-UNKNOWN",
            // A file that is gone when its row is tried again: RejectPhotoTests.
            "IMPORT-NO-PHOTO-FILE",
            // Components of COBie in several spaces: ShippedMappingTests.
            "IMPORT-SEVERAL",
            // New parts of what is here and closed: RecordHistoryTests, ImportTrailTests.
            "IMPORT-CLOSED-PART",
            // What an earlier delivery held: MissingRecordTests.
            "DELIVERY-MISSING",
            // What a role may not do: JudgeTests.
            "CHANGE-PROJECT", "CHANGE-TRANSITION", "CHANGE-NEW-STATE", "CHANGE-CLOSED", "CHANGE-EDIT", "CHANGE-REQUIRED", "CHANGE-KEY", "CHANGE-OWN-ROLE", "CHANGE-NOT-OWN", "CHANGE-EDITOR", "CHANGE-OTHER-PROJECT", "CHANGE-CONFLICT", "CHANGE-DELETE", "CHANGE-REFERRED", "IMPORT-BOOKS", "IMPORT-STATES",
        ]
        // Floor plans and logs are samples of another kind, with tests of their own: FloorPlanTests, PackageTests.
        let kinds = ["DRAWING-", "PLAN-", "EVENT-"]
        for declaration in FindingCatalogue.declarations
        where !ownTests.contains(declaration.code) && !kinds.contains(where: declaration.code.hasPrefix) {
            #expect(stated.contains(declaration.code), "no sample triggers \(declaration.code)")
        }
        let templates = URL(fileURLWithPath: ProgramRun.root + "/Templates")
        for name in ["ingeplus", "anagrafica"] {
            for code in try PackLoader.load(name, from: templates).rules.flatMap(\.findingCodes) where !ownTests.contains(code) {
                #expect(stated.contains(code), "no sample triggers \(name)'s \(code)")
            }
        }
    }

    @Test(arguments: ["ingeplus", "anagrafica"]) func theMainSamplesHaveNoErrors(system: String) throws {
        let office = try Office(system: system)
        let result = try office.run("validate", "--json")
        #expect(result.status == 0, "\(result.output.prefix(2000))")
    }

    /// Codes that the stages find in a set, with their counts.
    private static func findings(of set: String, after: String?) throws -> [String: [String: Int]] {
        let system = String(set.prefix { $0 != "/" })
        let office = try Office(system: system, set: nil)
        let name = String(set.dropFirst(system.count + 1))
        if let after { try office.bringIn("broken/" + after) }
        var found: [String: [String: Int]] = [:]
        found["import"] = try counts(in: office.bringIn(name, "--json").output)
        let validated = try office.run("validate", "--json", "--fail-on", "never")
        guard validated.status == 0 else { throw Office.Trouble(validated) }
        found["validate"] = try counts(in: validated.output)
        for export in system == "ingeplus" ? ["calicatas"] : ["assets", "client-package"] {
            let exported = try office.run("export", export, "--policy", "mark", "-o", "out", "--json", "--fail-on", "never")
            guard exported.status == 0 else { throw Office.Trouble(exported) }
            found["export", default: [:]].merge(try counts(in: exported.output), uniquingKeysWith: max)
        }
        return found
    }

    /// Counts of all `code` members below a JSON text; a member `count` beside it says how often.
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
        return try JSONDecoder().decode(Statement.self, from: data)
    }
}
