package import Foundation
package import Model

/// Registration of all files that one step of a run made for one project, complete and under their
/// final names. They are registered together or not at all.
package struct ExportRegistration: Sendable {
    package struct File: Sendable {
        /// `xlsx`, `csv`, `xml`, `zip`.
        package var format: String
        /// The document's stable name, the same from one version to the next: `calicatas.xlsx`,
        /// `calicatas-cortes.csv`.
        package var document: String
        /// Name of the file without its directory.
        package var fileName: String
        /// Its path on this machine.
        package var localPath: String
        package var rows: Int
        package var bytes: Int64
        package var sha256: String
        /// The version in the file's name, which is refused if another run used it meanwhile. Nil:
        /// the line's next version.
        package var expectedVersion: Int?

        package init(
            format: String, document: String, fileName: String, localPath: String, rows: Int, bytes: Int64,
            sha256: String,
            expectedVersion: Int? = nil
        ) {
            self.format = format
            self.document = document
            self.fileName = fileName
            self.localPath = localPath
            self.rows = rows
            self.bytes = bytes
            self.sha256 = sha256
            self.expectedVersion = expectedVersion
        }
    }

    /// Records whose document this registration makes official. Those that are still in the
    /// starting state of the pack's `exported` move get its end state.
    package struct Marks: Sendable {
        /// The record's root entity.
        package var entity: String
        package var ids: [String]

        package init(entity: String, ids: [String]) {
            self.entity = entity
            self.ids = ids
        }
    }

    package var runID: String
    package var step: Int
    package var projectID: String
    /// The files' common folder in storage, to which a file's id and name are added.
    package var storageFolder: String
    package var exportName: String
    /// The delivery line of which the files are the next version: `DeliveryLine.name`.
    package var line: String
    /// Dialect of CSV files; nil for other formats.
    package var dialect: String?
    /// The selection as JSON.
    package var selection: String
    package var environment: String
    package var actor: Actor
    package var asOf: Date
    /// When the run began and (`finishedAt`) the files were complete, by the machine's clock.
    package var startedAt: Date
    package var finishedAt: Date
    /// Counts of findings by code as JSON.
    package var findings: String
    /// Identifies the selection and the state of the data that it used (`lastExport`).
    package var fingerprint: String
    package var isDraft: Bool
    package var files: [File]
    package var marks: Marks?
    /// Further details of each file, for the log.
    package var notes: [String: String] = [:]

    package init(
        runID: String, step: Int = 0, projectID: String, storageFolder: String, exportName: String, line: String,
        dialect: String?, selection: String,
        environment: String, actor: Actor, asOf: Date, startedAt: Date, finishedAt: Date, findings: String,
        fingerprint: String,
        isDraft: Bool, files: [File], marks: Marks? = nil
    ) {
        self.runID = runID
        self.step = step
        self.projectID = projectID
        self.storageFolder = storageFolder
        self.exportName = exportName
        self.line = line
        self.dialect = dialect
        self.selection = selection
        self.environment = environment
        self.actor = actor
        self.asOf = asOf
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.findings = findings
        self.fingerprint = fingerprint
        self.isDraft = isDraft
        self.files = files
        self.marks = marks
    }
}

/// The replica's record of one exported file.
package struct RegisteredExport: Sendable, Hashable, Codable {
    package var id: String
    package var projectID: String
    package var exportName: String
    /// Nil for files that an older version of the program registered, until the replica is
    /// migrated.
    package var line: String?
    package var format: String
    package var dialect: String?
    package var document: String
    package var version: Int
    package var fileName: String
    package var localPath: String
    package var storagePath: String
    package var rows: Int
    package var bytes: Int64
    package var sha256: String
    package var isDraft: Bool
    /// `registered`, or `superseded` by a later version on the line.
    package var status: String
    /// Time by the run's clock, which gives the document's date.
    package var asOf: String
    /// Time by the machine's clock.
    package var finishedAt: String
    /// The project's code.
    package var project: String?
    /// The selection as JSON.
    package var selection: String?
    package var actorID: String?
    /// Shown only to roles that may see addresses.
    package var actorEmail: String?
}

/// Result of a registration.
package struct RegistrationOutcome: Sendable, Hashable {
    /// In the order of the files given.
    package var exports: [RegisteredExport]
    /// Records that were moved to the exported state.
    package var marked: Int
}

/// Reason why files cannot be registered.
package typealias RegistrationFailure = DeclaredFailure<ExportRegistration>

extension RegistrationFailure {
    /// Another run registered this version of the document meanwhile.
    package static func versionTaken(document: String, version: Int) -> Self {
        Self("REGISTRATION-VERSION", .busy, ["document": document, "version": version])
    }
    /// The person's role may not move the records to the next state.
    package static func moveNotAllowed(role: String, from: String, to: String) -> Self {
        Self("MARK-NOT-ALLOWED", .notPermitted, ["role": role, "from": from, "to": to])
    }
    /// The run's journal does not record the file as complete.
    package static func notJournalled(document: String) -> Self {
        Self("REGISTRATION-JOURNAL", .internalError, ["document": document])
    }
    /// The actor is not a member of the project.
    package static func notMember(email: String) -> Self {
        Self("REGISTRATION-MEMBER", .notPermitted, ["actor": email])
    }
    /// A newer version replaced the file to which another one is to be added.
    package static func superseded(document: String, version: Int) -> Self {
        Self("REGISTRATION-SUPERSEDED", .badInput, ["document": document, "version": version])
    }
}
