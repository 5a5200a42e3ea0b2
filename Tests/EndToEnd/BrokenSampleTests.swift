import Foundation
import Model
import Packs
import Testing

/// Every finding code is triggered by a sample: the broken sets say what must be found, and together they cover every code.
@Suite struct BrokenSampleTests {
    /// `SYSTEM/broken/SET` of every broken set.
    static let sets: [String] = {
        let samples = ProgramRun.root + "/Samples"
        return ["ingeplus", "anagrafica"].flatMap { system in
            let folder = "\(samples)/\(system)/broken"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { !$0.hasPrefix(".") }.sorted().map { "\(system)/broken/\($0)" }
        }
    }()

    @Test(arguments: sets) func aBrokenSetGivesTheFindingsThatItStates(set: String) throws {
        let found = try Self.findings(of: set)
        let expected = try Self.expected(of: set)
        for (stage, codes) in expected {
            for (code, count) in codes {
                let seen = found[stage]?[code] ?? 0
                #expect(seen >= max(1, count), "\(set): \(stage) should find \(code) \(count) times, found \(seen)")
            }
        }
        for stage in ["import", "validate"] {
            let unstated = Set(found[stage]?.keys.map { $0 } ?? []).subtracting(expected[stage]?.keys.map { $0 } ?? [])
            #expect(unstated.isEmpty, "\(set): \(stage) also found \(unstated.sorted()), which expected.json does not state")
        }
    }

    @Test func everyCodeHasASample() throws {
        var stated: Set<String> = []
        for set in Self.sets {
            for codes in try Self.expected(of: set).values { stated.formUnion(codes.keys) }
        }
        // What only data of a size or kind that no sample should have can trigger; each has a test of its own.
        let ownTests: Set<String> = ["RULE-TIMEOUT", "SHEET-SPLIT", "SHEET-RENAMED"]
        for declaration in FindingCatalogue.declarations where !ownTests.contains(declaration.code) {
            #expect(stated.contains(declaration.code), "no sample triggers \(declaration.code)")
        }
        let templates = URL(fileURLWithPath: ProgramRun.root + "/Templates")
        for name in ["ingeplus", "anagrafica"] {
            for rule in try PackLoader.load(name, from: templates).rules {
                #expect(stated.contains(rule.code), "no sample triggers \(name)'s \(rule.code)")
            }
        }
    }

    @Test(arguments: ["ingeplus", "anagrafica"]) func theMainSamplesHaveNoErrors(system: String) throws {
        let office = try Office(system: system, actor: system == "ingeplus" ? "coordinadora@example.pe" : "ufficio@example.it")
        defer { office.remove() }
        let result = try office.run("validate", "--json")
        #expect(result.status == 0, "\(result.output.prefix(2000))")
    }

    /// Codes that the stages find in a set, with their counts.
    private static func findings(of set: String) throws -> [String: [String: Int]] {
        let system = String(set.prefix { $0 != "/" })
        let office = try Office(system: system, actor: "admin@example.org", set: nil)
        defer { office.remove() }
        var found: [String: [String: Int]] = [:]
        let imported = try office.run("import", ProgramRun.root + "/Samples/" + set, "--join", "--json", "--fail-on", "never")
        guard imported.status == 0 else { throw Office.Trouble(imported) }
        found["import"] = try counts(in: imported.output)
        let validated = try office.run("validate", "--json", "--fail-on", "never")
        guard validated.status == 0 else { throw Office.Trouble(validated) }
        found["validate"] = try counts(in: validated.output)
        let exports = system == "ingeplus" ? ["calicatas"] : ["assets", "client-package"]
        for export in exports {
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

    private static func expected(of set: String) throws -> [String: [String: Int]] {
        let data = try Data(contentsOf: URL(fileURLWithPath: ProgramRun.root + "/Samples/" + set + "/expected.json"))
        return try JSONDecoder().decode([String: [String: Int]].self, from: data)
    }
}
