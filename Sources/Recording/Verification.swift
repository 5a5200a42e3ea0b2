import Foundation
import Model

/// Compares the files in an output directory with their registrations.
package struct Verification: Sendable, Hashable {
    /// One registered file, as listed in the replica's `exports`.
    package struct RegisteredFile: Sendable, Hashable {
        package var exportID: String
        /// The path, relative to the output directory, or absolute.
        package var path: String
        package var sha256: String
        package var bytes: Int64
        /// Whether a newer registration of the same delivery has replaced this one.
        package var isSuperseded: Bool

        package init(exportID: String, path: String, sha256: String, bytes: Int64, isSuperseded: Bool) {
            self.exportID = exportID
            self.path = path
            self.sha256 = sha256
            self.bytes = bytes
            self.isSuperseded = isSuperseded
        }
    }

    package enum State: String, Sendable, Codable, CaseIterable {
        /// The file is as it was registered.
        case ok
        /// The content differs from the registered one; for a superseded file, from every version
        /// registered under this path.
        case changed
        case missing
        /// A newer version replaced the file, which still exists unchanged, or whose path now
        /// belongs to a registered version.
        case superseded
        /// A newer version replaced the file, which no longer exists. This is not a fault.
        case gone
        /// The file is in the output directory, but not registered.
        case foreign
        /// The file was written as a draft: it may be missing, and is not reported as foreign.
        case draft
        /// The file exists but cannot be read.
        case unreadable
        /// The file was registered on another computer and was never on this one; its path is
        /// empty.
        case absent
    }

    package struct Entry: Sendable, Hashable, Codable {
        package var path: String
        package var state: State
        /// The export's id; nil for a foreign file.
        package var exportID: String?
        package var expectedSHA256: String?
        package var expectedBytes: Int64?
        package var foundSHA256: String?
        package var foundBytes: Int64?
    }

    /// Registered files in the order given, then foreign ones by path.
    package var entries: [Entry]

    package var isClean: Bool {
        entries.allSatisfy { [.ok, .superseded, .gone, .draft, .absent].contains($0.state) }
    }

    package func count(_ state: State) -> Int {
        entries.count { $0.state == state }
    }

    /// Checks every registered file and every file below the directory (hidden files and the
    /// targets of links excepted).
    package init(registered: [RegisteredFile], drafts: Set<String> = [], directory: String) {
        var known: [String: Set<String>] = [:]
        for file in registered where !file.path.isEmpty {
            known[Self.absolute(file.path, in: directory), default: []].insert(file.sha256)
        }
        let current = Set(
            registered.lazy.filter { !$0.isSuperseded && !$0.path.isEmpty }.map {
                Self.absolute($0.path, in: directory)
            })
        entries = registered.map { file in
            let path = Self.absolute(file.path, in: directory)
            return Self.judge(
                file, at: path, known: known[path] ?? [], hasSuccessorHere: file.isSuperseded && current.contains(path))
        }
        entries += Self.files(below: directory)
            .filter { known[$0.absolute] == nil }
            .map { Entry(path: $0.relative, state: drafts.contains($0.absolute) ? .draft : .foreign) }
            .sorted { $0.path < $1.path }
    }

    private static func judge(_ file: RegisteredFile, at path: String, known: Set<String>, hasSuccessorHere: Bool)
        -> Entry
    {
        var entry = Entry(
            path: file.path, state: .superseded, exportID: file.exportID, expectedSHA256: file.sha256,
            expectedBytes: file.bytes)
        guard !file.path.isEmpty else {
            entry.state = .absent
            return entry
        }
        // The file at this path is compared with the newer registration instead.
        guard !hasSuccessorHere else { return entry }
        do throws(RecordingFailure) {
            let found = try FileChecksum(of: path)
            entry.foundSHA256 = found.sha256
            entry.foundBytes = found.bytes
            if file.isSuperseded {
                entry.state = known.contains(found.sha256) ? .superseded : .changed
            } else {
                entry.state = found.sha256 == file.sha256 && found.bytes == file.bytes ? .ok : .changed
            }
        } catch {
            if error.code == "FILE-MISSING" {
                entry.state = file.isSuperseded ? .gone : .missing
            } else {
                entry.state = .unreadable
            }
        }
        return entry
    }

    private static func absolute(_ path: String, in directory: String) -> String {
        let url = path.hasPrefix("/") ? URL(filePath: path) : URL(filePath: directory).appending(path: path)
        return url.standardizedFileURL.path(percentEncoded: false)
    }

    private static func files(below directory: String) -> [(absolute: String, relative: String)] {
        let root = absolute(".", in: directory)
        let prefix = root.hasSuffix("/") ? root : root + "/"
        guard let walk = FileManager.default.enumerator(atPath: prefix) else { return [] }
        var found: [(absolute: String, relative: String)] = []
        for case let relative as String in walk {
            let type = walk.fileAttributes?[.type] as? FileAttributeType
            if relative.split(separator: "/").last?.first == "." {
                if type == .typeDirectory { walk.skipDescendants() }
            } else if type != .typeDirectory {
                found.append((prefix + relative, relative))
            }
        }
        return found
    }
}
