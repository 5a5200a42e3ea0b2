import Foundation
import Logging
package import Model
import Recording
package import Replica

/// Renames written files to their final names and registers them. Recognises files that an earlier
/// run made.
package struct Registrar {
    package let scope: RunScope
    package let request: any ProductRequest
    package let project: ReadSession.Project
    package let isDraft: Bool

    /// The files that a run has to make on its line.
    package struct Standing {
        /// The version of everything that the run makes: the next one, or the last if other formats
        /// of the same content are registered.
        package var version: Int
        /// Files of the same selection over unchanged data that still exist as they were
        /// registered.
        package var made: [ExportOutcome.File]
        /// Formats that are still to be made.
        package var missing: [ExportFormat]
        /// Files of `made` whose path differs from the requested one.
        package var elsewhere: [FileCopies.Copy] = []
    }

    private var files: FileRequest { request.files }

    func standing(_ fingerprint: String) throws -> Standing {
        if files.isPreview { return Standing(version: 0, made: [], missing: files.formats) }
        let last = try scope.replica.lastVersion(projectID: project.id, line: files.line.name, exportName: files.name)
        let anew = Standing(version: last + 1, made: [], missing: files.formats)
        guard !files.again else { return anew }
        let registered = try scope.replica.lastExport(
            projectID: project.id, line: files.line.name, exportName: files.name, fingerprint: fingerprint)
        guard !registered.isEmpty else { return anew }
        let copies = FileCopies(registered, of: request, project: project, context: scope.context)
        var standing = Standing(version: last, made: [], missing: [])
        for format in files.formats {
            let files = registered.filter { $0.format == format.rawValue }
            if files.isEmpty { standing.missing.append(format) }
            guard files.allSatisfy({ $0.dialect == request.dialect(of: format) }),
                let there = try copies.standing(files)
            else { return anew }
            standing.made += there.here.map(outcome)
            standing.elsewhere += there.elsewhere
        }
        return standing
    }

    /// Renames the files and registers them with everything that belongs to them, in one
    /// transaction.
    package func register(
        _ products: [FileProduction.Product], fingerprint: String, findings: [FindingCount],
        numbers: [(String, [(rowID: String, number: Int64)])], records: Replica.LineChanges?,
        marks: ExportRegistration.Marks?,
        markedBy marking: ExportFormat?
    ) throws -> (files: [ExportOutcome.File], marked: Int, replacedSigned: [String]) {
        // Files of another line are not replaced, even if they have the same name.
        let replaceable = try scope.replica.registeredFiles(projectID: project.id).filter {
            ($0.line == request.files.line.name && $0.exportName == request.files.name) || $0.status == "superseded"
        }
        let known = Set(replaceable.map(\.sha256)), version = products.map(\.version).min() ?? 0
        let signed = try scope.replica.signedCopies(
            projectID: project.id, line: request.files.line.name, exportName: request.files.name, before: version
        ).filter { $0.status != "superseded" }
        for product in products { try check(product, known) }
        let outputs = products.map { product in
            RunOutput(
                step: request.files.step, temporaryPath: product.file.temporaryPath, finalPath: product.file.finalPath,
                state: .written)
        }
        try scope.replica.mark(outputs, as: .written, run: scope.context.id)
        keepCopies(products)
        for product in products {
            try OutputCommit.publish(
                temporary: product.file.temporaryPath, final: product.file.finalPath, replacing: .registered(known))
        }
        try scope.replica.mark(outputs, as: .renamed, run: scope.context.id)
        var files: [ExportOutcome.File] = []
        var marked = 0
        // One registration for each format, because only CSV has dialects. All of them in one
        // transaction.
        let registrations = Dictionary(grouping: products, by: \.format).sorted { $0.key.rawValue < $1.key.rawValue }
            .map { format, products in
            registration(products, format, fingerprint, findings, marks: format == marking ? marks : nil)
        }
        let given = numbers.map { name, rows in
            StoredNumbers(numbering: name, projectID: project.id, rows: rows.map { ($0.rowID, $0.number) })
        }
        for result in try scope.replica.register(registrations, numbers: given, records: records) {
            files += result.exports.map(outcome)
            marked += result.marked
        }
        for product in products { try OutputCommit.confirm(temporary: product.file.temporaryPath) }
        return (files, marked, signed.map(\.fileName))
    }

    /// Keeps copies of workbooks that may come back corrected. Without a copy, what stands in the replica then takes
    /// its place, so a full disk does not keep the delivery back.
    private func keepCopies(_ products: [FileProduction.Product]) {
        guard let export = request as? ExportRequest, CorrectionForm.comesBack(export.definition) else { return }
        let store = BookStore(beside: scope.session.replicaPath)
        store.removeOld(at: Date())
        for product in products where product.format == .xlsx {
            do { try store.keep(product.file.temporaryPath, sha256: product.file.sha256) } catch {
                scope.session.log.warning("no copy of the workbook is kept", metadata: ["name": "\(files.name)"])
            }
        }
    }

    /// Throws if the name belongs to a registered file; the failure names the delivery, which the
    /// file itself does not show.
    private func check(_ product: FileProduction.Product, _ known: Set<String>) throws {
        let path = product.file.finalPath
        do {
            try OutputCommit.check(final: path, replacing: .registered(known))
        } catch {
            let others = try scope.replica.registeredFiles().filter {
                $0.localPath == path && $0.status != "superseded"
            }
            guard error == .outputExists(path: path), let other = others.first else { throw error }
            if let own = others.first(where: {
                $0.projectID == project.id && $0.line == files.line.name && $0.exportName == files.name
            }) {
                throw RecordingFailure.outputChanged(path: path, version: own.version)
            }
            throw RecordingFailure.outputOfAnother(
                path: path, delivery: [other.exportName, other.line].compactMap(\.self).joined(separator: ", "))
        }
    }

    /// Renames drafts to their final names. They are not registered, but only recorded in the run's
    /// journal.
    func publishDrafts(_ products: [FileProduction.Product]) throws -> [ExportOutcome.File] {
        let drafts = Set(try scope.replica.drafts())
        func replacing(_ product: FileProduction.Product) -> OutputCommit.Replacing {
            drafts.contains(product.file.finalPath) ? .anything(but: scope.session.replicaFiles) : .nothing
        }
        for product in products { try OutputCommit.check(final: product.file.finalPath, replacing: replacing(product)) }
        for product in products {
            try OutputCommit.publish(
                temporary: product.file.temporaryPath, final: product.file.finalPath, replacing: replacing(product))
        }
        let outputs = products.map {
            RunOutput(
                step: files.step, temporaryPath: $0.file.temporaryPath, finalPath: $0.file.finalPath, state: .registered
            )
        }
        try scope.replica.mark(outputs, as: .registered, run: scope.context.id)
        return products.map(unregistered)
    }

    /// Renames previews to their final names; a preview replaces any file of that name.
    func publishPreviews(_ products: [FileProduction.Product]) throws -> [ExportOutcome.File] {
        for product in products {
            try OutputCommit.publish(
                temporary: product.file.temporaryPath, final: product.file.finalPath,
                replacing: .anything(but: scope.session.replicaFiles))
        }
        return products.map(unregistered)
    }

    private func unregistered(_ product: FileProduction.Product) -> ExportOutcome.File {
        ExportOutcome.File(
            path: product.file.finalPath, format: product.format.rawValue, rows: product.file.rows,
            bytes: product.file.bytes,
            sha256: product.file.sha256, version: product.version, exportID: "", storagePath: "")
    }

    private func registration(
        _ products: [FileProduction.Product], _ format: ExportFormat, _ fingerprint: String, _ findings: [FindingCount],
        marks: ExportRegistration.Marks?
    ) -> ExportRegistration {
        ExportRegistration(
            runID: scope.context.id, step: files.step, projectID: project.id,
            storageFolder: StoragePath(
                organisation: project.organisationID ?? scope.session.organisation, project: project.id
            ).folder, exportName: files.name, line: files.line.name,
            dialect: request.dialect(of: format), selection: JSONString.document(files.selection),
            environment: scope.context.environment,
            actor: scope.context.actor, asOf: scope.context.asOf, startedAt: scope.startedAt, finishedAt: Date(),
            findings: JSONString.document(findings), fingerprint: fingerprint, isDraft: isDraft,
            files: products.map { product in
                ExportRegistration.File(
                    format: format.rawValue, document: product.document,
                    fileName: URL(fileURLWithPath: product.file.finalPath).lastPathComponent,
                    localPath: product.file.finalPath,
                    rows: product.file.rows, bytes: product.file.bytes, sha256: product.file.sha256,
                    expectedVersion: product.version)
            }, marks: marks)
    }

    private func outcome(_ export: RegisteredExport) -> ExportOutcome.File {
        ExportOutcome.File(
            path: export.localPath, format: export.format, rows: export.rows, bytes: export.bytes,
            sha256: export.sha256,
            version: export.version, exportID: export.id, storagePath: export.storagePath)
    }
}
