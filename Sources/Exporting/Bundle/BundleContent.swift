package import Model

/// A finished file that goes into a package.
package struct BundleFile: Sendable, Hashable {
    /// Its path inside the package: `data/assets.xlsx`.
    package var name: String
    /// Where it is now; a file that is not renamed yet is under its temporary name.
    package var path: String
    package var sha256: String
    package var rows: Int

    package init(name: String, path: String, sha256: String, rows: Int) {
        self.name = name
        self.path = path
        self.sha256 = sha256
        self.rows = rows
    }

    /// A writer's file, still under its temporary name, in a folder of the package.
    package init(_ file: WrittenFile, in folder: String = "data") {
        let name = file.finalPath.split(separator: "/").last.map(String.init) ?? file.finalPath
        self.init(name: folder + "/" + name, path: file.temporaryPath, sha256: file.sha256, rows: file.rows)
    }
}

/// A photo with the facts of its record.
package struct BundlePhoto: Sendable, Hashable {
    /// The unchanged file name, given at capture; no folders.
    package var name: String
    /// Where it is on this machine; nil when it is not here.
    package var path: String?
    /// The record's checksum, lower-case hexadecimal, where it has one.
    package var sha256: String?

    package init(name: String, path: String?, sha256: String?) {
        self.name = name
        self.path = path
        self.sha256 = sha256
    }

    /// Whether there is a file that can be packed. That it is the record's own is known when it is read.
    package func isThere() throws(BundleFailure) -> Bool {
        guard let path, let reading = try FileReader(path) else { return false }
        return !reading.path.isEmpty
    }
}
