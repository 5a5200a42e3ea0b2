import Foundation
import Testing
import Workbench

@testable import Model

/// Each failure stands once, in its declaration. The tests search the sources for declarations, and
/// compare them with the texts and with the code that throws.
@Suite struct FailureSourceTests {
    private struct Declaration {
        var name: String
        var codes: [String]
        /// The names of its arguments.
        var arguments: Set<String>
    }

    private static let texts: [String] = {
        let root = ProjectFolder.root.appendingPathComponent("Sources")
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: root.path)) ?? []
        return names.filter { $0.hasSuffix(".swift") }.compactMap {
            try? String(contentsOf: root.appendingPathComponent($0), encoding: .utf8)
        }
    }()

    /// `static func notFound(path: String) -> Self { Self("IMPORT-NOT-FOUND", .noInput, file: path) }`
    private static let declarations = texts.filter { $0.contains("= DeclaredFailure<") }.flatMap { text in
        text.components(separatedBy: " static ").dropFirst().compactMap { piece -> Declaration? in
            // A declaration ends before the next comment, blank line or end of the extension.
            let ends = ["\n\n", "\n    /", "\n}"].compactMap { piece.range(of: $0)?.lowerBound }
            let piece = piece[..<(ends.min() ?? piece.endIndex)]
            guard let name = piece.firstMatch(of: /^(?:func|var) `?(\w+)/)?.1,
                let body = piece.range(of: " Self(", options: .backwards)
            else { return nil }
            let values = piece[body.upperBound...]
            var codes = values.matches(of: /"([A-Z]+(?:-[A-Z]+)+)"/).map { String($0.1) }
            // The codes of `UndoObstacle`.
            if codes.isEmpty { codes = text.matches(of: /case \w+ = "([A-Z-]+)"/).map { String($0.1) } }
            let arguments = values.matches(of: /"(\w+)":/).map { String($0.1) }
            return Declaration(
                name: String(name), codes: codes,
                arguments: Set(arguments + (values.contains("file: path") ? ["path"] : [])))
        }
    }

    private static let codes = Set(declarations.flatMap(\.codes))

    @Test func theDeclarationsAreFound() {
        #expect(Self.declarations.count > 260 && Self.declarations.allSatisfy { !$0.codes.isEmpty })
        #expect(Self.codes.isSuperset(of: ["IMPORT-FILE-UNREADABLE", "IMPORT-NO-TABLES", "UNDO-STATE"]))
    }

    @Test func everyCodeHasTextsThatNameItsArguments() throws {
        let texts = try ShippedPack.named("ingeplus").texts
        for declaration in Self.declarations {
            let keys = declaration.codes.flatMap { ["error.\($0).message", "error.\($0).remedy"] }
            for key in keys {
                for language in Language.allCases {
                    let text = texts.textIfAny(key, in: language) ?? ""
                    #expect(!text.isEmpty, "\(key) \(language)")
                    let names = Set(text.matches(of: /\{(\w+)[:}]/).map { String($0.1) })
                    // The door adds a hint, made of the name that is nearest among those known.
                    let hint: Set = declaration.arguments.isDisjoint(with: ["known", "nearest"]) ? [] : ["hint"]
                    #expect(names.isSubset(of: hint.union(declaration.arguments)), "\(key) \(language)")
                }
            }
        }
    }

    @Test func whatIsDeclaredIsThrown() {
        let uses = Set(Self.texts.flatMap { $0.matches(of: /\.(\w+)/).map { String($0.1) } })
        for declaration in Self.declarations {
            #expect(uses.contains(declaration.name), "nothing throws \(declaration.name)")
        }
    }

    /// Code that distinguishes failures names their codes, which the compiler does not compare.
    @Test func whatIsComparedIsDeclared() {
        var compared: Set<String> = []
        for text in Self.texts {
            compared.formUnion(text.matches(of: /code == "([A-Z-]+)"/).map { String($0.1) })
            for list in text.matches(of: /\[([A-Z-", ]+)\]\s*\.contains\([\w$.]*code\)/) {
                compared.formUnion(list.1.matches(of: /[A-Z-]+/).map { String($0.0) })
            }
        }
        #expect(compared.isSuperset(of: ["RECORD-UNKNOWN", "IMPORT-KIND"]))
        compared.remove("CL-ML")  // A class of soils.
        #expect(compared.filter { !Self.codes.contains($0) && !FindingCatalogue.declares($0) }.isEmpty)
    }

    /// Two parts with the same type would have the same failures.
    @Test func everyPartHasATypeOfItsOwn() {
        let parts = Self.texts.flatMap { $0.matches(of: /= DeclaredFailure<([^>]+)>/).map { String($0.1) } }
        #expect(parts.count > 30 && Set(parts).count == parts.count)
    }

    @Test func noFailureHasTheCodeOfAFinding() {
        #expect(Self.codes.filter(FindingCatalogue.declares).isEmpty)
    }
}
