import Foundation
import Testing
import Workbench

@testable import Model

/// The severity of a finding stands only in its declaration. The test searches the sources for
/// this.
@Suite struct FindingSourceTests {
    private static let root = ProjectFolder.root
        .appendingPathComponent("Sources")

    private static func sources() throws -> [(name: String, text: String)] {
        try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") && !$0.hasSuffix("FindingCatalogue.swift") }
            .map { ($0, try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8)) }
    }

    /// The texts in quotes that follow such a place, without blanks and line ends.
    private static func quoted(after start: String, in text: String) -> [String] {
        text.components(separatedBy: start).dropFirst().compactMap { rest in
            let rest = rest.drop(while: \.isWhitespace)
            return rest.first == "\"" ? String(rest.dropFirst().prefix { $0 != "\"" }) : nil
        }
    }

    @Test func noFindingStatesItsSeverity() throws {
        for (name, text) in try Self.sources() {
            for severity in Severity.allCases { #expect(!text.contains("severity: .\(severity.rawValue)"), "\(name)") }
        }
    }

    @Test func whatIsReportedIsDeclaredAndWhatIsDeclaredIsReported() throws {
        let texts = try Self.sources().map(\.text)
        let reported = Set(texts.flatMap { Self.quoted(after: "Finding(", in: $0) })
        #expect(reported.count > 40)
        for code in reported.sorted() { #expect(FindingCatalogue.declares(code), "\(code)") }
        let pieces = texts.flatMap { $0.utf8.split(separator: UInt8(ascii: "\"")) }
        let quoted = Set(pieces.map { String(decoding: $0, as: UTF8.self) })
        for declaration in FindingCatalogue.declarations {
            #expect(quoted.contains(declaration.code), "nothing reports \(declaration.code)")
        }
    }

    @Test func everyCodeIsDeclaredOnce() {
        #expect(Set(FindingCatalogue.declarations.map(\.code)).count == FindingCatalogue.declarations.count)
    }

    @Test func aFindingTakesItsSeverityFromItsDeclaration() {
        #expect(Finding("IMPORT-ROUNDED", arguments: ["name": "depth_m"]).severity == .warning)
        #expect(Finding("IMPORT-NO-ID").severity == .error)
    }
}
