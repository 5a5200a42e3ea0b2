internal import Foundation

/// What the code on a report's pages says: a section, the revision of its record, and the sum of
/// the attached file that holds its rows.
package struct DataCode: Sendable, Hashable {
    /// The section's name, with the id of its record where there is one: `pits/ID`.
    package var anchor: String
    package var revision: String?
    package var sha256: String

    package init(anchor: String, revision: String?, sha256: String) { (self.anchor, self.revision, self.sha256) = (anchor, revision, sha256) }

    /// The name of the attached file: `pits-ID.json`.
    package static func fileName(of anchor: String) -> String { anchor.split(separator: "/").map { String($0).percentEncoded() }.joined(separator: "-") + ".json" }

    /// `FICHERO:PITS/ID/REV/3/SHA256/…`: capital letters make the smallest code, and stand for small
    /// ones. An anchor that has capital letters of its own is written as it is.
    package var text: String {
        let text = Self.start + anchor.percentEncoded(keeping: "/") + (revision.map { "/rev/" + $0.percentEncoded(keeping: ":") } ?? "") + "/sha256/" + sha256
        return anchor == anchor.lowercased() ? text.uppercased() : text
    }

    /// Nil: the text is no such code.
    package init?(_ text: String) {
        guard text.lowercased().hasPrefix(Self.start) else { return nil }
        let written = text.hasPrefix(Self.start) ? text : text.lowercased()
        var parts = written.dropFirst(Self.start.count).split(separator: "/").compactMap { $0.removingPercentEncoding }
        guard parts.count >= 3, parts[parts.count - 2] == "sha256", let sum = parts.popLast() else { return nil }
        parts.removeLast()
        sha256 = sum
        if parts.count > 2, parts[parts.count - 2] == "rev" {
            revision = parts.popLast()
            parts.removeLast()
        }
        anchor = parts.joined(separator: "/")
    }

    private static let start = "fichero:"
}
