import Foundation
import Testing

@testable import Model
@testable import Packs

@Suite struct PackDescriptionTests {
    @Test func textNamesEverything() throws {
        let pack = try SamplePack().load()
        for language in [Language.spanish, .english, .italian] {
            let text = PackDescription(pack, language: language).text()
            for entity in pack.entities {
                #expect(text.contains(entity.name + ": "))
                for field in entity.fields { #expect(text.contains("  " + field.name + " ")) }
            }
            for name in pack.rules.map(\.code) + pack.exports.map(\.name) + pack.jobs.map(\.name) + pack.roles.map(\.name) {
                #expect(text.contains(name))
            }
            for value in pack.vocabularies.flatMap(\.values) { #expect(text.contains("  \(value): ")) }
        }
    }

    @Test func wordsFollowTheLanguage() throws {
        let pack = try SamplePack().load()
        #expect(PackDescription(pack, language: .spanish).text().contains("obligatorio si status = 'DONE'"))
        #expect(PackDescription(pack, language: .english).text().contains("required when status = 'DONE'"))
        #expect(PackDescription(pack, language: .italian).text().contains("obbligatorio se status = 'DONE'"))
        for word in DescriptionWord.allCases {
            for language in Language.allCases { #expect(!word.text(in: language).isEmpty) }
        }
    }

    @Test func columnsLineUp() throws {
        let lines = PackDescription(try SamplePack().load(), language: .english).text().split(
            separator: "\n", omittingEmptySubsequences: false)
        let header = try #require(lines.firstIndex { $0.hasPrefix("  Field") })
        let offset = lines[header].distance(
            from: lines[header].startIndex, to: try #require(lines[header].firstRange(of: "Label")).lowerBound)
        for line in lines[(header + 1)...].prefix(while: { !$0.isEmpty }) {
            #expect(Array(line)[offset - 1] == " " && Array(line)[offset] != " ")
        }
    }

    @Test func markdownTablesAreWhole() throws {
        let markdown = PackDescription(try SamplePack().load(), language: .english).markdown()
        var columns: Int?
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                columns = nil
                continue
            }
            let bars = line.replacing("\\|", with: "").count { $0 == "|" }
            #expect(bars == columns ?? bars, "\(line)")
            columns = bars
        }
        #expect(markdown.hasPrefix("# "))
        #expect(markdown.contains("dug\\_on"))
    }

    @Test func oneEntityAlone() throws {
        let description = PackDescription(try SamplePack().load(), language: .english)
        let text = try #require(description.text(ofEntity: "pits"))
        #expect(text.hasPrefix("pits: text of entity.pits\n") && text.contains("  DRAFT: ") && !text.contains("soil"))
        #expect(description.markdown(ofEntity: "layers")?.hasPrefix("### layers") == true)
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data((description.json(ofEntity: "pits") ?? "").utf8)) as? [String: Any])
        #expect(json["name"] as? String == "pits")
        #expect(description.text(ofEntity: "nothing") == nil && description.json(ofEntity: "nothing") == nil)
    }

    @Test func jsonIsCompleteForPrograms() throws {
        let pack = try SamplePack().load()
        let json = PackDescription(pack, language: .english).json()
        let root = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(root["fingerprint"] as? String == pack.fingerprint)
        let entities = try #require(root["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == pack.entities.map(\.name))
        let pits = try #require(entities.first { $0["name"] as? String == "pits" })
        let depth = try #require((pits["fields"] as? [[String: Any]])?.first { $0["name"] as? String == "depth_m" })
        #expect(depth["min"] as? Double == 0.1 && depth["max"] as? Double == 30 && depth["unit"] as? String == "m")
        #expect(depth["requiredWhen"] as? String == "status = 'DONE'")
        #expect((root["vocabularies"] as? [[String: Any]])?.count == pack.vocabularies.count)
        #expect((root["jobs"] as? [[String: Any]])?.first?["label"] as? String == "text of job.monthly")
    }
}
