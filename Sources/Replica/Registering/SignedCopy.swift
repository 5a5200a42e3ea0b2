package import Foundation
import GRDB
package import Model

/// A signed copy of a registered file, to be registered as another document of the same version of
/// the delivery.
package struct SignedCopy: Sendable {
    /// The file that is signed.
    package let original: RegisteredExport
    /// The registration of the original's delivery, without files.
    private let delivery: ExportRegistration
    private let documents: Set<String>

    fileprivate init(_ original: RegisteredExport, _ delivery: ExportRegistration, _ documents: Set<String>) {
        (self.original, self.delivery, self.documents) = (original, delivery, documents)
    }

    /// The copy's document name: `ficha.pdf` becomes `ficha.signed.pdf`, then `ficha.signed-2.pdf`.
    private var document: String {
        let name = URL(fileURLWithPath: original.document).deletingPathExtension().lastPathComponent
        let stem = name.range(of: ".signed").map { String(name[..<$0.lowerBound]) } ?? name
        return (1...).lazy.map { stem + ".signed" + ($0 == 1 ? "" : "-\($0)") + ".pdf" }.first {
            !documents.contains($0)
        } ?? stem
    }

    /// Returns the registration of a written file, for `Replica.register`.
    ///
    /// - Parameter notes: details of the signature, for the log.
    package func registration(_ file: WrittenFile, in context: RunContext, startedAt: Date, notes: [String: String])
        -> ExportRegistration
    {
        var registration = delivery
        (registration.runID, registration.actor, registration.asOf) = (context.id, context.actor, context.asOf)
        (registration.startedAt, registration.finishedAt) = (startedAt, Date())
        registration.notes = notes.merging(["signed_export": original.id]) { $1 }
        registration.files = [
            ExportRegistration.File(
                format: original.format, document: document,
                fileName: URL(fileURLWithPath: file.finalPath).lastPathComponent, localPath: file.finalPath,
                rows: original.rows, bytes: file.bytes, sha256: file.sha256, expectedVersion: original.version)
        ]
        return registration
    }
}

extension RegisteredExport {
    /// Whether it is a signed copy, as `SignedCopy` names them.
    package var isSignedCopy: Bool { document.contains(".signed") }
}

extension Replica {
    /// The signed copies of a delivery's versions before this one, replaced or not.
    package func signedCopies(projectID: String, line: String, exportName: String, before version: Int) throws
        -> [RegisteredExport]
    {
        try registeredFiles(projectID: projectID).filter {
            $0.line == line && $0.exportName == exportName && $0.version < version && $0.isSignedCopy
        }
    }

    /// The signed copy that is registered at a path with these notes; nil: there is none.
    package func signedCopy(of copy: SignedCopy, at path: String, notes: [String: String]) throws -> RegisteredExport? {
        try read { db in
            let found = try exports(
                db, where: "e.local_path = ? AND e.status = 'registered'", arguments: [path],
                order: "e.content_stamp DESC", limit: nil)
            let wanted = notes.merging(["signed_export": copy.original.id]) { $1 }
            return try found.first { export in
                let logged = try String.fetchAll(
                    db, sql: "SELECT details FROM activity_logs WHERE action = 'export_registered' AND entity_id = ?",
                    arguments: [export.id])
                return logged.contains { details in
                    let said = FlatJSON.read(details)
                    return wanted.allSatisfy { said[$0.key] == $0.value }
                }
            }
        }
    }

    /// A signed copy with the values of its original; nil: no file with this path and checksum is
    /// registered.
    ///
    /// - Throws: `RegistrationFailure.superseded` for a file that a newer version replaced.
    package func signedCopy(ofFileAt path: String, sha256: String, for actor: Actor) throws -> SignedCopy? {
        try read { db in
            let known = try exports(
                db, where: "e.local_path = ? AND e.sha256 = ?", arguments: [path, sha256],
                order: "e.status = 'registered' DESC, e.content_stamp DESC", limit: 1)
            guard let original = known.first else { return nil }
            guard original.status == "registered" else {
                throw RegistrationFailure.superseded(document: original.document, version: original.version)
            }
            let row = try Row.fetchOne(
                db, sql: "SELECT environment, findings, fingerprint FROM exports WHERE id = ?", arguments: [original.id]
            )
            let documents = try String.fetchSet(
                db, sql: "SELECT document FROM document_versions WHERE project_id = ? AND line = ? AND version = ?",
                arguments: [original.projectID, original.line, original.version])
            let delivery = ExportRegistration(
                runID: "", projectID: original.projectID,
                storageFolder: original.storagePath.split(separator: "/").dropLast(2).joined(separator: "/"),
                exportName: original.exportName, line: original.line ?? "", dialect: original.dialect,
                selection: original.selection ?? "{}",
                environment: row?["environment"] ?? "", actor: actor, asOf: .distantPast, startedAt: .distantPast,
                finishedAt: .distantPast,
                findings: row?["findings"] ?? "[]", fingerprint: row?["fingerprint"] ?? "", isDraft: original.isDraft,
                files: [])
            return SignedCopy(original, delivery, documents)
        }
    }
}
