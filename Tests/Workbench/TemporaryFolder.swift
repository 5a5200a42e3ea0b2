package import Foundation
import Glibc

/// A folder for one test. It is removed with the last object that uses it, with any content, and
/// however the test ends.
package final class TemporaryFolder: Sendable {
    package let url: URL

    /// The folders of this process. What lives as long as the process goes with it.
    private static let top: URL = {
        let top = FileManager.default.temporaryDirectory.appendingPathComponent("fichero-tests-\(getpid())")
        try? FileManager.default.removeItem(at: top)
        try? FileManager.default.createDirectory(at: top, withIntermediateDirectories: false)
        atexit { try? FileManager.default.removeItem(at: TemporaryFolder.top) }
        return top
    }()

    package init() throws {
        url = Self.top.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    package var path: String { url.path }

    /// The path of a file in the folder. The file need not exist.
    package func file(_ name: String) -> String { path + "/" + name }

    /// The names of the files and folders directly in the folder, sorted.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Writes a file, makes the missing folders above it, and gives its path.
    @discardableResult
    package func write(_ bytes: some Collection<UInt8>, to name: String) throws -> String {
        let target = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: target)
        return file(name)
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String { try write(text.utf8, to: name) }

    /// Copies all that is in another folder. Files keep their times and rights.
    package func fill(from other: String) throws {
        let run = try OtherProgram.run("/bin/cp", ["-a", "--reflink=auto", other + "/.", path])
        guard run.status == 0 else { throw StartedProgram.Trouble(description: run.text) }
    }

    package func data(of name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }

    package func text(of name: String) throws -> String { String(decoding: try data(of: name), as: UTF8.self) }
}
