import Foundation
import Importing
import Model

/// Keeps copies of the workbooks that were exported, beside the replica and named by their content. A corrected
/// workbook is compared with its copy: the file itself is mostly overwritten by the correction.
struct BookStore {
    private let folder: String

    init(beside replica: String) { folder = replica + ".files/books" }

    /// How long a copy is kept: thirteen months, so that last year's delivery can still come back.
    private static let longestAge: TimeInterval = 400 * 86_400

    private func path(_ sha256: String) -> String { folder + "/" + sha256 + ".xlsx" }

    /// Keeps a copy of a written workbook. A copy appears only when it is complete.
    func keep(_ file: String, sha256: String) throws {
        let manager = FileManager.default
        guard !manager.fileExists(atPath: path(sha256)) else { return }
        try manager.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let draft = folder + "/.\(UUID().uuidString).part"
        defer { try? manager.removeItem(atPath: draft) }
        try manager.copyItem(atPath: file, toPath: draft)
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: draft)
        try manager.moveItem(atPath: draft, toPath: path(sha256))
    }

    /// The copy with this content, if it is kept and whole.
    func book(_ sha256: String) -> String? {
        let path = path(sha256)
        return (try? FileDigest.sha256(ofFile: path)) == sha256 ? path : nil
    }

    /// Removes copies that are too old, and what a killed run left.
    func removeOld(at now: Date) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let path = folder + "/" + name
            let written = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if name.hasPrefix(".") || written.map({ now.timeIntervalSince($0) > Self.longestAge }) == true {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }

    /// Removes all copies: they hold what a person who is erased has written.
    func removeAll() throws {
        guard FileManager.default.fileExists(atPath: folder) else { return }
        try FileManager.default.removeItem(atPath: folder)
    }
}
