import Foundation
import Testing
import Workbench

@testable import Model

/// Folders for files that readers must write. Nobody else sees them, and they are removed.
@Suite struct PrivateFolderTests {
    private let place: TemporaryFolder
    init() throws { place = try TemporaryFolder() }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [] }

    /// A folder as a process of this number would have left it.
    private func leave(_ process: Int32) throws -> String {
        let name = "fichero-\(process)-\(UUID().uuidString)"
        let path = place.path + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Data([1]).write(to: URL(fileURLWithPath: path + "/copy.db"))
        return name
    }

    @Test func itGoesWithItsObject() throws {
        do {
            let folder = try PrivateFolder(in: URL(fileURLWithPath: place.path))
            try Data([1]).write(to: folder.url.appendingPathComponent("x"))
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
            #expect(names.count == 1)
        }
        #expect(names.isEmpty)
    }

    @Test func whatKilledProcessesLeftIsRemoved() throws {
        // The number of a process may be used again, so it proves nothing. The lock does.
        let gone = [try leave(.max), try leave(getpid())], held = try leave(.max)
        let descriptor = unsafe open(place.path + "/" + held, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let others = ["fichero-notes", "fichero-1x-\(UUID().uuidString)", "fichero-2147483647-notes"]
        for name in others { try FileManager.default.createDirectory(atPath: place.path + "/" + name, withIntermediateDirectories: false) }
        let link = "fichero-2147483647-\(UUID().uuidString)"
        try FileManager.default.createSymbolicLink(atPath: place.path + "/" + link, withDestinationPath: place.path + "/fichero-notes")
        let directory = URL(fileURLWithPath: place.path)
        #expect(PrivateFolder.forgotten(in: directory) == gone.map { place.path + "/" + $0 }.sorted())
        let folder = try PrivateFolder(in: directory)
        for name in gone { #expect(!names.contains(name)) }
        for name in [held, link, folder.url.lastPathComponent] + others { #expect(names.contains(name), "\(name)") }
    }
}
