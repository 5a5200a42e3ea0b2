import Foundation
import Importing
import Model
import Replica

/// Imports the packages of the sync partner like any source, each in one transaction. A file that
/// is not a package is reported and left in place, and the rest continues. A file that was imported
/// is not read again.
struct PackageIntake {
    let session: WorkSession
    let replica: Replica
    /// The run; nil when packages are only listed and not imported.
    let scope: RunScope?
    let folder: String

    struct Received {
        var account = PullAccount()
        var files: [String] = []
        var acknowledged = 0
    }

    struct File {
        var name: String
        var path: String
        /// Name, size and time of change.
        var stamp: String
        /// Whether the file is a regular file with the name of an archive.
        var isArchive: Bool
    }

    /// The files in the folder that were not imported yet, by name; hidden files are unfinished.
    func unread() throws -> [File] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw SettingFailure.noExchangeFolder(folder)
        }
        let files = names.filter { !$0.hasPrefix(".") }.sorted().map { name in
            let path = folder + "/" + name
            // For a link, these are the attributes of the link itself, so that the link is refused.
            let facts = try? FileManager.default.attributesOfItem(atPath: path)
            let time = (facts?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            let isPlain = facts?[.type] as? FileAttributeType == .typeRegular
            return File(
                name: name, path: path, stamp: "\(name)\n\((facts?[.size] as? NSNumber)?.int64Value ?? 0)\n\(time)",
                isArchive: isPlain && name.lowercased().hasSuffix(".zip"))
        }
        let known = try replica.receivedFiles()
        return files.filter { !known.contains($0.stamp) }
    }

    func receive(_ findings: FindingList) throws -> Received {
        var received = Received()
        guard let scope else { return received }
        for file in try unread() {
            try Interruption.check()
            guard file.isArchive, try isPackage(file) else {
                findings.add(refusal(file, session.text("cli.sync.packages.none")))
                continue
            }
            do {
                try take(file, scope, findings, &received)
            } catch let failure as any Failure where failure is PackageFailure || failure is ImportFailure {
                findings.add(refusal(file, session.pack.texts.message(of: failure, in: session.language)))
            }
        }
        return received
    }

    private func isPackage(_ file: File) throws -> Bool {
        var location = try SourceLocation(path: file.path, entity: nil, options: SourceOptions())
        location.options.limits = session.limits.packages
        return SourceFormats.name(of: location) == PackageFormat.kind
    }

    private func take(_ file: File, _ scope: RunScope, _ findings: FindingList, _ received: inout Received) throws {
        let sha256 = try FileDigest.sha256(ofFile: file.path)
        // The content may have been received under another name, or in a killed run.
        if try !replica.hasReceived(sha256) {
            var run = ImportRun(scope: scope, policy: .conflict)
            run.isExchange = true
            let waiting = try replica.queuedChanges()
            let result = try run.importSource(file.path, entity: nil, state: replica.contentState())
            for finding in result.findings { findings.add(finding) }
            received.account.add(PullAccount(result.report))
            received.files.append(file.name)
            received.acknowledged += try waiting - replica.queuedChanges()
            // The package is not recorded as received, so that a project member can import the
            // refused rows later.
            guard !result.findings.contains(where: { $0.code == "CHANGE-PROJECT" }) else { return }
        }
        try replica.noteReceived(file.stamp, sha256: sha256, at: scope.context.asOf)
    }

    private func refusal(_ file: File, _ reason: String) -> Finding {
        Finding("SYNC-PACKAGE-REFUSED", place: Place(file: file.path), arguments: ["name": file.name, "reason": reason])
    }
}

extension PullAccount {
    /// Converts a package's import counts to the counts that a pull from a server reports.
    fileprivate init(_ report: ImportAccount) {
        self.init()
        lines = report.lines.filter { !$0.entity.isEmpty }.map { line in
            let counts = line.counts
            var told = Line(entity: line.entity, received: counts.read)
            (told.new, told.changed, told.conflict) = (counts.imported, counts.updated, counts.conflict)
            told.unchanged = counts.unchanged + counts.filtered
            (told.kept, told.refused) = (counts.skipped, counts.rejected + counts.waiting)
            return told
        }
    }
}
