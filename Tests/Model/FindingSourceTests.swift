import Foundation
import Testing

@testable import Model

/// How serious a finding of the program's own is stands in its declaration, nowhere else: the sources say so.
@Suite struct FindingSourceTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    private static func sources() throws -> [(name: String, text: String)] {
        try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") && !$0.hasSuffix("FindingCatalogue.swift") }
            .map { ($0, try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8)) }
    }

    @Test func noFindingStatesItsSeverity() throws {
        for (name, text) in try Self.sources() {
            #expect(text.matches(of: /severity: \.(error|warning|note)\b/).isEmpty, "\(name)")
        }
    }

    @Test func whatIsReportedIsDeclaredAndWhatIsDeclaredIsReported() throws {
        let texts = try Self.sources()
        var reported: Set<String> = []
        for (_, text) in texts { reported.formUnion(text.matches(of: /Finding\(\s*"([A-Z-]+)"/).map { String($0.output.1) }) }
        #expect(reported.count > 40)
        for code in reported.sorted() { #expect(FindingCatalogue.declares(code), "\(code)") }
        for declaration in FindingCatalogue.declarations {
            #expect(texts.contains { $0.text.contains("\"\(declaration.code)\"") }, "nothing reports \(declaration.code)")
        }
    }

    @Test func everyCodeIsDeclaredOnce() {
        #expect(Set(FindingCatalogue.declarations.map(\.code)).count == FindingCatalogue.declarations.count)
    }

    @Test func aFindingTakesItsSeverityFromItsDeclaration() {
        #expect(Finding("IMPORT-ROUNDED", arguments: ["name": "depth_m"]).severity == .warning)
        #expect(Finding("IMPORT-NO-ID").severity == .error)
        #expect(FindingCatalogue.declares("IMPORT-ROUNDED", with: ["name", "field"]) && !FindingCatalogue.declares("IMPORT-ROUNDED", with: ["colour"]))
    }
}
