// Package: a survey package, as `Docs/survey-package.md` describes it, that `fichero import` reads. Rows are streamed as NDJSON; photos
// go in one at a time; the manifest comes last, when counts and checksums are known.
package import Model

/// What goes into a survey package.
package struct PackageContent {
    package var pack: String
    package var packVersion: String
    /// As-of instant of the run.
    package var createdAt: String
    /// The project by the code that people know.
    package var project: String
    /// Parents first.
    package var tables: [PackageTable]

    package init(pack: String, packVersion: String, createdAt: String, project: String, tables: [PackageTable]) {
        self.pack = pack
        self.packVersion = packVersion
        self.createdAt = createdAt
        self.project = project
        self.tables = tables
    }
}

/// The rows of one entity: the cells of `fields`, then sync state, local version and the remote's time.
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

/// A photo as its row tells it.
package struct PackagePhoto: Sendable, Hashable {
    package var entity: String
    package var id: String
    /// The unchanged name, given at capture.
    package var name: String
    /// Where it lies on this machine; nil when it never came.
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
    /// Of the archive; of a folder that of its manifest, which holds the sums of all others.
    package var sha256: String
    /// SHA-256 that stands for what is in it, whenever it was written.
    package var content: String
}
