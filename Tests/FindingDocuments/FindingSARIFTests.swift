import Foundation
import JSONReading
import Model
import Testing

@testable import FindingDocuments

/// What SARIF 2.1.0 requires. Real output was once checked against the official schema, which is
/// not part of the project.
@Suite struct FindingSARIFTests {
    private func run(_ scene: FindingScene, _ language: Language = .english) throws -> JSONValue {
        let log = try JSONValue.parse(scene.sarif(language))
        #expect(log["version"]?.text == "2.1.0" && log["$schema"]?.text?.contains("sarif-2.1.0") == true)
        return try #require(log["runs"]?[0])
    }

    @Test func theDriverNamesEveryCode() throws {
        let scene = try FindingScene.everything()
        let run = try run(scene)
        let driver = try #require(run["tool"]?["driver"])
        #expect(driver["name"]?.text == "Fichero" && driver["version"]?.text == "0.1.0")
        let rules = try #require(driver["rules"]?.items)
        #expect(rules.count == FindingCatalogue.declarations.count + scene.pack.rules.count)
        #expect(Set(rules.compactMap { $0["id"]?.text }).count == rules.count)
        for rule in rules {
            for part in ["shortDescription", "fullDescription", "help"] { #expect(rule[part]?["text"]?.text?.isEmpty == false) }
            #expect(["error", "warning", "note"].contains(rule["defaultConfiguration"]?["level"]?.text))
        }
    }

    @Test func resultsPointToRulesAndPlaces() throws {
        let scene = try FindingScene.everything()
        let run = try run(scene)
        let results = try #require(run["results"]?.items)
        let rules = try #require(run["tool"]?["driver"]?["rules"]?.items)
        #expect(results.map { $0["level"]?.text } == ["error", "warning", "note"])
        for (result, reported) in zip(results, scene.reported) {
            let index = try #require(result["ruleIndex"]?.description).description
            #expect(rules[try #require(Int(index))]["id"]?.text == result["ruleId"]?.text)
            #expect(result["partialFingerprints"]?["ficheroFinding/v1"]?.text == reported.finding.fingerprint)
            #expect(result["message"]?["text"]?.text?.isEmpty == false)
        }
        let logical = try #require(results[0]["locations"]?[0]?["logicalLocations"]?[0])
        #expect(logical["fullyQualifiedName"]?.text == "calicatas/P-1 / C-01/depth_m" && logical["kind"]?.text == "member")
        let physical = try #require(results[2]["locations"]?[0]?["physicalLocation"])
        #expect(physical["artifactLocation"]?["uri"]?.text == "file:///data/%C3%B1%201.json")
        #expect(physical["region"]?.description == #"{"startLine":3,"startColumn":4}"#)
    }

    @Test func acceptedFindingsAreSuppressedAndAllSayWhetherTheyAre() throws {
        let results = try #require(try run(.everything())["results"]?.items)
        #expect(results.map { $0["suppressions"]?.items?.count } == [0, 1, 0])
        let suppression = try #require(results[1]["suppressions"]?[0])
        #expect(suppression["kind"]?.text == "external" && suppression["justification"]?.text == "Known <since> May")
    }

    @Test func equalFindingsGiveEqualBytesAndNoneAnEmptyRun() throws {
        #expect(try FindingScene.everything().sarif() == FindingScene.everything().sarif())
        #expect(try FindingScene.everything().sarif().contains("2025-12-01T14:00:00Z"))
        #expect(try run(FindingScene())["results"]?.items?.isEmpty == true)
        #expect(try run(.everything(), .italian)["language"]?.text == "it")
    }
}

@Suite struct FindingSchemaTests {
    /// Every member that is written is described in the schema, and every described member of a
    /// finding can be written.
    @Test func theSchemaKnowsEveryMember() throws {
        let schema = try JSONValue.parse(FindingSchema.text)
        var written = ""
        let json = FindingJSON(try FindingScene().text()) { written += $0 }
        for var reported in try FindingScene.everything().reported {
            reported.status = .new
            try json.add(reported)
        }
        try json.finish()
        let findings = try #require(try JSONValue.parse(written).items)
        func keys(_ value: JSONValue?) -> Set<String> { Set(value?.members?.map(\.key) ?? []) }
        for (name, member) in [("finding", nil), ("place", "place"), ("acceptance", "acceptance")] as [(String, String?)] {
            let described = keys(schema["$defs"]?[name]?["properties"])
            let seen = findings.map { finding in keys(member == nil ? finding : finding[member ?? ""]) }.reduce(into: Set<String>()) { $0.formUnion($1) }
            #expect(seen == described, "\(name)")
            let required = Set(schema["$defs"]?[name]?["required"]?.items?.compactMap(\.text) ?? [])
            #expect(required.isSubset(of: described))
        }
    }

    @Test func tallies() throws {
        let tally = try FindingTally(FindingScene.everything())
        #expect(tally.entries.map(\.code) == ["FIELD-RANGE", "CORTE-HUECO", "IMPORT-UNKNOWN-FIELD"])
        #expect(tally.total == 3 && tally.accepted == 1 && tally.projects == ["P-1": [.error: 1, .warning: 1]])
        #expect(tally.count(.error, "FIELD-RANGE") == 1 && tally.count(.note, "FIELD-RANGE") == 0)
    }
}
