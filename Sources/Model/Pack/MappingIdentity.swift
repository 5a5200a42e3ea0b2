import Foundation

/// A mapping as the records of an import and its rejected rows name it:
/// `registro-plano?year=2019#CSM-2025`. It says how the rows were read, so that they can be read
/// again in the same way.
package struct MappingIdentity: Sendable, Hashable {
    /// Of the pack's own mapping; else the path of its file, from the root.
    package var name: String
    /// SHA-256 of a mapping's own file outside the pack, after `@`.
    package var sha256: String?
    /// The values of options that the import was given, after `?`.
    package var given: [String: String] = [:]
    /// The code of the project that the import was given, after `#`.
    package var projectCode: String?

    package init(name: String, sha256: String? = nil, given: [String: String] = [:], projectCode: String? = nil) {
        (self.name, self.sha256, self.given, self.projectCode) = (name, sha256, given, projectCode)
    }

    package init(_ text: String) {
        var rest = text
        if text.hasPrefix("/"), let parts = text.wholeMatch(of: /(.*)@([0-9a-f]{64})((?:[?#].*)?)/) {
            (name, sha256, rest) = (String(parts.1), String(parts.2), String(parts.3))
        } else {
            name = String(text.prefix { $0 != "?" && $0 != "#" })
            rest.removeFirst(name.count)
        }
        // A code may have any character, an option's value none that is not encoded.
        if let mark = rest.firstIndex(of: "#") {
            projectCode = String(rest[rest.index(after: mark)...])
            rest = String(rest[..<mark])
        }
        for pair in rest.dropFirst().split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { given[String(parts[0])] = parts[1].removingPercentEncoding }
        }
    }

    /// The mapping of a row, of its place's `mapping`: `registro-plano#CSM-2025/1/0`. The path of a
    /// mapping's own file has slashes too.
    package init(ofAddress address: String) {
        self.init(address.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/"))
    }

    package var text: String {
        let options = given.sorted { $0.key < $1.key }.map { $0.key + "=" + $0.value.percentEncoded() }.joined(separator: "&")
        return name + (sha256.map { "@" + $0 } ?? "") + (options.isEmpty ? "" : "?" + options) + (projectCode.map { "#" + $0 } ?? "")
    }
}
