import Foundation
import Testing

@testable import Model
@testable import Packs

/// The list of codes from which the catalogue is made.
@Suite struct FindingDescriptionTests {
    @Test(arguments: TemplatesTests.names) func everyCodeHasEveryTextInEveryLanguage(name: String) throws {
        let pack = try PackLoader.load(name, from: TemplatesTests.folder)
        let described = try JSONSerialization.jsonObject(with: Data(FindingDescription(pack, language: .english).json().utf8)) as? [String: Any]
        let codes = try #require(described?["codes"] as? [[String: Any]])
        // A rule about photos reports codes of the program and not its own name.
        let own = pack.rules.filter { $0.findingCodes == [$0.code] }
        #expect(own.count == pack.rules.count { rule in if case .photo = rule.check { false } else { true } })
        #expect(codes.count == FindingCatalogue.declarations.count + own.count + Set(pack.refusals.map(\.code)).count)
        for code in codes {
            let name = code["code"] as? String ?? ""
            for part in ["title", "message", "remedy"] {
                let texts = try #require(code[part] as? [String: String])
                for language in Language.allCases {
                    let text = texts[language.rawValue] ?? ""
                    #expect(!text.isEmpty && !text.hasPrefix("finding.") && !text.hasPrefix("rule."), "\(name).\(part) \(language.rawValue)")
                }
            }
        }
    }

    @Test func markdownHasARowForEachCode() throws {
        let pack = try SamplePack().load()
        let markdown = FindingDescription(pack, language: .spanish).markdown()
        #expect(markdown.components(separatedBy: "\n| ").count == 3 + FindingCatalogue.declarations.count + pack.rules.count)
        #expect(markdown.contains("LAYER-UPSIDE-DOWN"))
    }
}
