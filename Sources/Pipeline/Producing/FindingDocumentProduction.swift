package import FindingDocuments
import Foundation
package import Model
import Recording
package import Replica
package import Validating

/// Writes documents of a validation's findings. Each is complete and flushed before it gets its
/// name, and replaces any file of that name.
package struct FindingDocumentProduction {
    package let session: WorkSession
    package let actor: Actor
    package let reading: ReadSession
    package let summary: ValidationSummary
    /// The number of findings of each code that a text shows.
    package let limit: Int

    package init(session: WorkSession, actor: Actor, reading: ReadSession, summary: ValidationSummary, limit: Int) {
        (self.session, self.actor, self.reading, self.summary) = (session, actor, reading, summary)
        self.limit = limit
    }

    /// Throws before the work begins if the documents cannot be written.
    package static func prepare(_ requests: [FindingDocumentRequest], sparing own: ReplicaFiles) throws {
        for request in requests {
            try OutputCommit.makeDirectory(for: request.path)
            try OutputCommit.check(final: request.path, replacing: .anything(but: own))
        }
    }

    package func write(_ requests: [FindingDocumentRequest]) throws -> [FindingDocumentFile] {
        guard !requests.isEmpty else { return [] }
        let source = SessionFindingSource(reading, language: session.language)
        let tally = try FindingTally(source)
        let document = FindingDocument(
            session.findingText, head: head, pack: session.pack, summary: JSONString.document(summary), limit: limit)
        var written: [WrittenFile] = []
        do {
            for request in requests {
                written.append(try document.write(source, tally, as: request.kind, to: request.path))
            }
            for file in written {
                try OutputCommit.publish(
                    temporary: file.temporaryPath, final: file.finalPath,
                    replacing: .anything(but: session.replicaFiles))
            }
        } catch {
            try? OutputCommit.removeLeftovers(written.map(\.temporaryPath))
            throw error
        }
        return written.map { FindingDocumentFile(path: $0.finalPath, bytes: $0.bytes, sha256: $0.sha256) }
    }

    private var head: FindingDocumentHead {
        let isFinal = session.environment == session.pack.environments.last
        return FindingDocumentHead(
            packName: session.pack.name, packVersion: session.pack.version, system: session.text("pack.title"),
            environment: session.environment,
            environmentBanner: isFinal
                ? nil : session.text("cover.environment_banner", ["environment": session.environment]),
            programVersion: ProgramVersion.current,
            actor: "\(actor.fullName ?? actor.email) (\(session.label(ofRole: actor.role.name)))",
            asOf: session.asOf,
            madeAt: "\(OfficeDay.time(of: session.asOf, in: session.timeZone)) (\(session.timeZone.identifier))",
            projects: reading.projects.map { FindingDocumentHead.Project(code: $0.code, name: $0.name) },
            rows: summary.rows.values.reduce(0, +))
    }
}

/// A document of findings as a file; the ending determines its kind.
package struct FindingDocumentRequest: Hashable {
    package var path: String
    package var kind: FindingDocument.Kind

    /// The documents given by options; each is a separate file.
    package static func parse(_ paths: [String]) throws(SettingFailure) -> [FindingDocumentRequest] {
        var requests: [FindingDocumentRequest] = []
        for stated in paths {
            let url = URL(fileURLWithPath: stated).standardizedFileURL
            guard let kind = FindingDocument.Kind(rawValue: url.pathExtension.lowercased()) else {
                throw .unknownReport(stated, known: FindingDocument.Kind.allCases.map { "." + $0.rawValue })
            }
            guard !requests.contains(where: { $0.path == url.path }) else { throw .reportTwice(stated) }
            requests.append(FindingDocumentRequest(path: url.path, kind: kind))
        }
        return requests
    }
}

/// A document that was written.
package struct FindingDocumentFile: Encodable {
    package var path: String
    package var bytes: Int64
    package var sha256: String
}
