import Digests

/// The name under which a file grows beside its final one: `.cortes.xlsx.5f3a09c2d71b.partial`. It
/// is hidden, is never taken for a finished file, and can be recognised in the cleanup after a
/// killed run (`GrowingFiles` notes each).
package enum TemporaryName {
    package static let suffix = ".partial"
    private static let replacedSuffix = ".replaced"
    private static let longest = 255

    package static func path(beside finalPath: String) -> String {
        let (directory, name) = split(finalPath)
        let token = UInt64.random(in: 0..<(1 << 48)).hexadecimal(12)
        var kept = Substring(name)
        while kept.utf8.count + token.utf8.count + suffix.utf8.count + 2 > longest { kept.removeLast() }
        let path = "\(directory).\(kept).\(token)\(suffix)"
        GrowingFiles.add(path)
        return path
    }

    /// The name under which a replaced file is kept until its replacement is registered:
    /// `.cortes.xlsx.5f3a09c2d71b.replaced`.
    package static func replaced(by temporaryPath: String) -> String {
        (temporaryPath.hasSuffix(suffix) ? String(temporaryPath.dropLast(suffix.count)) : temporaryPath) + replacedSuffix
    }

    /// Whether a file's name is a temporary one.
    package static func matches(_ name: String) -> Bool { matches(name, suffix) }

    /// Whether a file's name is that of a replaced file.
    package static func matchesReplaced(_ name: String) -> Bool { matches(name, replacedSuffix) }

    private static func matches(_ name: String, _ suffix: String) -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(suffix) else { return false }
        let token = name.dropLast(suffix.count).split(separator: ".", omittingEmptySubsequences: false).last ?? ""
        return token.utf8.count == 12 && token.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The temporary files of one final path.
    package static func left(beside finalPath: String) -> [String] {
        let (directory, name) = split(finalPath)
        return GrowingFiles.names(in: directory.isEmpty ? "." : directory)
            .filter { matches($0) && $0.dropLast(suffix.utf8.count + 13) == "." + name }.map { directory + $0 }
    }

    /// The directory with its slash, empty for the current one, and the name.
    static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }
}
