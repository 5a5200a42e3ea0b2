import Foundation
import Model
import Testing
import Workbench

@testable import Replica

/// Every action that the program logs is told in words. The test searches the sources for actions.
@Suite struct LoggedActionTests {
    private static let root = ProjectFolder.root.appendingPathComponent("Sources/Replica")

    private static func actions() throws -> Set<String> {
        // Up to the end of the argument: either action may stand there, of a release or of a pack.
        let call = #/
            (?: \.record\(\s*\.\w+, | [\s.(]change\(row,\s+context, | [\s.(](?:logEntry|logEach|recordUpdate|log)\(
              | \saction(?::|\s=) ) \s* ([^,\n]*"[a-z_]+")
            /#
        var found: Set<String> = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: root.path) where name.hasSuffix(".swift") {
            let source = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
            for match in source.matches(of: call) {
                found.formUnion(match.output.1.matches(of: /"([a-z_]+)"/).map { String($0.output.1) })
            }
        }
        let origins: [ChangeOrigin] = [.file, .person, .remote]
        return found.union(origins.flatMap { [$0.added, $0.changed, $0.whole] })
    }

    @Test func everyActionHasAText() throws {
        let actions = try Self.actions()
        #expect(actions.count > 30)
        let known: Set = ["marked_exported", "pack_released", "profile_replaced", "reject_dismissed", "row_edited"]
        #expect(actions.isSuperset(of: known))
        let texts = try ShippedPack.named("ingeplus").texts
        for action in actions.subtracting(ActReader.silent).sorted() {
            for language in Language.allCases {
                #expect(texts.textIfAny("cli.history.act." + action, in: language) != nil, "\(action) \(language)")
            }
        }
    }
}
