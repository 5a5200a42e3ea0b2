import Model

/// One step of a job, ready to run.
enum JobStep {
    case export(ExportRequest)
    case document(DocumentRequest)

    func perform(in scope: RunScope) throws -> ExportOutcome {
        switch self {
        case .export(let request): try ExportPipeline(scope: scope, request: request).run()
        case .document(let request): try DocumentPipeline(scope: scope, request: request).run()
        }
    }

    var files: any FileRequest {
        switch self {
        case .export(let request): request
        case .document(let request): request
        }
    }

    /// The kind of record that is selected.
    var record: String {
        switch self {
        case .export(let request): request.definition.record
        case .document(let request): request.definition.record
        }
    }

    var policy: FindingsPolicy {
        switch self {
        case .export(let request): request.policy
        case .document(let request): request.policy
        }
    }

    var marksExported: Bool {
        switch self {
        case .export(let request): request.markExported
        case .document(let request): request.markExported
        }
    }

    func title(_ session: CommandSession) -> String {
        switch self {
        case .export(let request): session.text("export." + request.name)
        case .document(let request): session.title(of: request.definition)
        }
    }
}
