import Digests
import Foundation
package import Model
import OutputFiles
import Recording
package import Replica
package import Signing

/// Writes a signed document to its path, and registers it if the original is registered.
package struct DocumentSigner {
    private let session: WorkSession
    private let original: [UInt8]
    private let path: String
    /// The path of the signed document; nil for the original's path, or one beside it.
    private let output: String?
    /// Makes the signature's bytes, which are appended to the original's bytes.
    private let update: () throws -> [UInt8]

    package init(
        _ session: WorkSession, _ original: [UInt8], _ path: String, output: String?,
        update: @escaping () throws -> [UInt8]
    ) {
        (self.session, self.original, self.path, self.update) = (session, original, path, update)
        self.output = output.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    }

    /// - `isThere`: the same request was signed and registered by an earlier run.
    package typealias Written = (file: WrittenFile, export: RegisteredExport?, isThere: Bool)

    /// Writes the document without registration: no replica exists, or the file is not in it.
    package func plain() throws -> Written {
        let replacing: OutputCommit.Replacing =
            output.map { $0 == path } ?? true ? .anything(but: session.replicaFiles) : .nothing
        try OutputCommit.check(final: output ?? path, replacing: replacing)
        let update = try update()
        // Of two processes that sign one file at once, the second must find a changed file.
        return try FileClaim.holding(path) {
            guard try SigningFiles.read(path) == original else { throw RecordingFailure.busy(path: path, holder: nil) }
            // Without a replica, the leftovers of a killed run are not recorded. While the file is
            // locked, temporary files beside it can only be such leftovers.
            try OutputCommit.removeLeftovers(TemporaryName.left(beside: output ?? path))
            return (try publish(update, as: output ?? path, replacing: replacing), nil, false)
        }
    }

    private func publish(_ update: [UInt8], as target: String, replacing: OutputCommit.Replacing) throws -> WrittenFile
    {
        let file = try write(update, to: target)
        do {
            try OutputCommit.publish(temporary: file.temporaryPath, final: file.finalPath, replacing: replacing)
        } catch {
            try? OutputCommit.removeLeftovers([file.temporaryPath])
            guard error.code == "OUTPUT-MAKE-DIRECTORY", (try? FileChecksum(of: target))?.sha256 == file.sha256
            else { throw error }
            throw RecordingFailure.outputUnconfirmed(path: target, reason: error.arguments["reason", default: ""])
        }
        return file
    }

    /// A signed copy of a registered file, registered with it; nil when the file is not registered.
    ///
    /// - Parameter notes: signer, certificate and request, by which the log recognises a signature.
    package func registered(notes: [String: String], allowsDrafts: Bool, wait: Int) throws -> Written? {
        let replica = try session.openReplica(waiting: wait)
        let sum = SHA256.digest(of: original).hexadecimal
        // The path without links, so that every link to the file gives the same path.
        let place = FileName.resolved(path)
        guard
            let known = try replica.registeredFiles().first(where: {
                $0.sha256 == sum && FileName.resolved($0.localPath) == place
            })
        else { return nil }
        let actor = try session.actor(in: replica, to: .export)
        guard let copy = try replica.signedCopy(ofFileAt: known.localPath, sha256: sum, for: actor) else { return nil }
        if copy.original.isDraft, !allowsDrafts { throw SigningFailure.draftDelivery(path: path) }
        if let there = try earlier(copy, at: output ?? beside(known.localPath), notes, replica) { return there }
        // A time stamp server may be slow, so the lock is acquired afterwards.
        let update = try update()
        return try RunScope.perform(session, replica, session.context(actor), command: "sign", waitSeconds: wait) {
            scope in
            let written = try register(copy, update, beside: known.localPath, in: scope, notes: notes)
            return (written, .done, "{}")
        }
    }

    private func register(
        _ copy: SignedCopy, _ update: [UInt8], beside original: String, in scope: RunScope, notes: [String: String]
    ) throws -> Written {
        let run = scope.context.id, target = output ?? beside(original)
        try scope.replica.plan([RunOutput(temporaryPath: "", finalPath: target)], run: run)
        let file = try write(update, to: target)
        let output = RunOutput(temporaryPath: file.temporaryPath, finalPath: target, state: .written)
        try scope.replica.plan([output], insteadOf: [target], run: run)
        try OutputCommit.publish(temporary: file.temporaryPath, final: target)
        try scope.replica.mark([output], as: .renamed, run: run)
        let outcome = try scope.replica.register(
            copy.registration(file, in: scope.context, startedAt: scope.startedAt, notes: notes))
        return (file, outcome.exports.first, false)
    }

    /// The signed copy of a run that was killed after registering it. Nothing is signed twice.
    private func earlier(_ copy: SignedCopy, at target: String, _ notes: [String: String], _ replica: Replica) throws
        -> Written?
    {
        guard let export = try replica.signedCopy(of: copy, at: target, notes: notes),
            let found = try? FileChecksum(of: target), found.sha256 == export.sha256
        else { return nil }
        let file = WrittenFile(
            temporaryPath: "", finalPath: target, bytes: export.bytes, sha256: export.sha256, rows: export.rows)
        return (file, export, true)
    }

    /// `ficha.pdf` becomes `ficha-signed.pdf`, and `ficha-signed.pdf` becomes `ficha-signed-2.pdf`.
    private func beside(_ path: String) -> String {
        let url = URL(fileURLWithPath: path), word = "-" + session.text("word.signed_file")
        let name = url.deletingPathExtension().lastPathComponent
        var stem = name + word
        if let place = name.range(of: word, options: .backwards) {
            let number = name[place.upperBound...]
            if number.isEmpty {
                stem = name + "-2"
            } else if number.hasPrefix("-"), let last = Int(number.dropFirst()) {
                stem = name[..<place.upperBound] + "-\(last + 1)"
            }
        }
        return url.deletingLastPathComponent().appendingPathComponent(stem + "." + url.pathExtension).path
    }

    private func write(_ update: [UInt8], to target: String) throws -> WrittenFile {
        guard !session.replicaFiles.contains(target) else { throw RecordingFailure.outputOfReplica(path: target) }
        try OutputCommit.makeDirectory(for: target)
        var file = try OutputFile(finalPath: target)
        try file.write(original.span)
        try file.write(update.span)
        return try file.close(rows: 1)
    }
}

/// Reads the files and the password that the user gives for a signature.
package enum SigningFiles {
    /// Reads a whole file.
    ///
    /// - Parameter limit: maximum size of the file in bytes.
    package static func read(_ path: String, limit: Int = DocumentSigning.limit) throws -> [UInt8] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw RecordingFailure.fileMissing(path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw RecordingFailure.noFile(path: path) }
        guard status.st_size <= limit else { throw SigningFailure.tooLarge(path: path, limit: max(1, limit >> 20)) }
        do {
            return try Array(Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw RecordingFailure.fileUnreadable(path: path, reason: unsafe String(cString: strerror(errno)))
        }
    }

    /// Reads a file with certificates or keys.
    package static func store(_ path: String) throws -> SigningIdentity.File {
        SigningIdentity.File(path: path, bytes: try read(path, limit: 1 << 20))
    }

    package static func trust(_ path: String?) throws -> TrustStore { try TrustStore(path.map(store)) }
}
