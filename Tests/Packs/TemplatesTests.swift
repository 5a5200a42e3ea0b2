import Foundation
import Model
import Testing
import Workbench

@testable import Packs

/// The shipped packs, or those of another folder that `FICHERO_TEMPLATES` names.
@Suite struct TemplatesTests {
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["FICHERO_TEMPLATES"] {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        let package = ProjectFolder.root
        return package.appendingPathComponent("Templates", isDirectory: true)
    }()

    static var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { !$0.hasPrefix(".") && $0 != "core" }.sorted()
    }

    @Test(arguments: names) func packsHaveNoMistake(_ name: String) throws {
        let folder = Self.folder
        do {
            let pack = try PackLoader.load(name, from: folder)
            #expect(pack.name == name)
            #expect(!pack.entities.isEmpty && !pack.exports.isEmpty && pack.entities.contains(where: \.isCore))
        } catch {
            for line in error.lines(Texts.shipped, .english) { print("MISTAKE", line) }
            Issue.record("\(error.mistakes.count) mistakes in \(name)")
        }
    }
}
