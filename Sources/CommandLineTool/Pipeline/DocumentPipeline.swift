import Foundation
import Model
import Replica

/// One report of every project asked for.
struct DocumentPipeline {
    let scope: RunScope
    let request: DocumentRequest

    func run() throws -> ExportOutcome {
        let session = scope.session
        guard let kind = session.pack.record(request.definition.record) else {
            throw SettingFailure.unknownDocument(request.name, known: session.pack.reports.map(\.name))
        }
        return try FilePipeline(scope: scope, request: request).run(title: session.title(of: request.definition), kind: kind) { reading, project in
            for code in request.records where try reading.records(kind, code: code).isEmpty { throw RecordFailure.unknown(code) }
            return try ProjectDocument(scope: scope, request: request, reading: reading, kind: kind).run(project)
        }
    }
}

extension CommandSession {
    func title(of report: ReportDefinition) -> String { text("report.\(report.name).title") }
}
