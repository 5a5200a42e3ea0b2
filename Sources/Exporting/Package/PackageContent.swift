// Package: a survey package, as `Docs/survey-package.md` describes it, which `fichero import`
// reads. Rows are streamed as NDJSON, and photos added one at a time. The manifest comes last, with
// counts and checksums.
package import Model

/// The content of a survey package.
package struct PackageContent {
    package var pack: String
    package var packVersion: String
    /// The as-of instant of the run.
    package var createdAt: String
    /// The project's code.
    package var project: String
    /// The tables; parents come before their parts.
    package var tables: [PackageTable]

    package init(pack: String, packVersion: String, createdAt: String, project: String, tables: [PackageTable]) {
        self.pack = pack
        self.packVersion = packVersion
        self.createdAt = createdAt
        self.project = project
        self.tables = tables
    }
}

/// The rows of one entity. The cells are those of `fields`, then sync state, local version and the
/// time of the remote's version.
package struct PackageTable {
    package var entity: String
    package var fields: [Field]
    package var open: () throws -> any RowSource

    package init(entity: String, fields: [Field], open: @escaping () throws -> any RowSource) {
        self.entity = entity
        self.fields = fields
        self.open = open
    }
}

/// A photo, with id, name and checksum from its row.
package struct PackagePhoto: Sendable, Hashable {
    package var entity: String
    package var id: String
    /// The unchanged name, given at capture.
    package var name: String
    /// The path on this machine; nil when the file was never received.
    package var path: String?
    package var sha256: String?

    package init(entity: String, id: String, name: String, path: String?, sha256: String?) {
        self.entity = entity
        self.id = id
        self.name = name
        self.path = path
        self.sha256 = sha256
    }
}

/// A written package, complete under its temporary name.
package struct WrittenPackage: Sendable, Hashable {
    package var temporaryPath: String
    package var finalPath: String
    package var rows: Int
    package var photos: Int
    package var bytes: Int64
    /// The SHA-256 of the archive, or of a folder's manifest, which contains the checksums of all
    /// other files.
    package var sha256: String
    /// The SHA-256 of the content, independent of the time of writing.
    package var content: String
}
