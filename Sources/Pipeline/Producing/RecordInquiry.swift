import Blocks
package import Model
import Packs
package import Replica

/// Why a record is, or is not, in the files of exports and reports: by the selection and the
/// validation of these files themselves. Nothing is written.
package struct RecordInquiry {
    private let session: WorkSession
    private let replica: Replica
    private let actor: Actor

    package init(_ session: WorkSession, _ replica: Replica, _ actor: Actor) {
        (self.session, self.replica, self.actor) = (session, replica, actor)
    }

    package struct Answer: Encodable, Sendable {
        package var table: String
        package var id: String
        package var name: String?
        package var project: String?
        /// The act that deleted the record; nil: it exists.
        package var deleted: Act?
        /// Whether its project is one of the actor's, whose records alone are in the actor's files.
        package var isMember = true
        package var files: [File] = []
        /// The errors of the record and its parts.
        package var errors: [RecordError] = []
    }

    /// The files of an export or a report.
    package struct File: Encodable, Sendable {
        package enum State: String, Encodable, Sendable {
            case holds = "in"
            case lacks = "out"
            /// The files have records of another kind.
            case otherKind = "other-kind"
            /// The files are anonymous, so the answer does not say who is in them.
            case anonymous
        }

        package var name: String
        package var title: String
        package var state: State
        package var reasons: [Reason] = []
        package var deliveries: [Delivery] = []
    }

    package struct Reason: Encodable, Sendable {
        /// A `LeftOutReason`, or `role` or `withheld-file`.
        package var code: String
        /// The reason in the reader's language.
        package var text: String
        package var detail: String
    }

    /// A line whose last delivery has the record.
    package struct Delivery: Encodable, Sendable {
        package var line: String
        package var version: Int
    }

    package struct RecordError: Encodable, Sendable, Hashable {
        package var code: String
        /// The readable name of the row.
        package var row: String
        package var message: String
        package var remedy: String
        package var fingerprint: String
        package var isAccepted: Bool
    }

    /// Answers for a record, named by itself or by one of its parts.
    ///
    /// - Parameter product: the export or report; nil: all that have records of this kind.
    /// - Parameter stated: the selection that the files would have.
    package func answer(_ record: String, in product: String?, _ stated: SelectionRequest) throws -> Answer {
        let requests = try requests(product, stated)
        let codes = stated.projects.isEmpty ? [nil] : stated.projects.map(Optional.some)
        let searched = try codes.flatMap { try session.workProjectIDs(of: actor, $0, replica) }
        let entity: Entity, id: String
        do {
            (entity, id) = try replica.record(named: record, projectIDs: searched, actor: actor)
        } catch let failure as RecordFailure where failure.isUnknown {
            let life = try replica.life(of: record, projectIDs: searched, actor: actor)
            return Answer(table: life.entity, id: life.id, name: life.name ?? record, deleted: life.acts.first)
        }
        var answer = Answer(
            table: entity.name, id: id, name: try replica.name(of: entity, id: id),
            project: try replica.projectCode(of: entity, id: id))
        let members = try replica.status(visibleTo: actor.id, as: actor.role, runs: 0).projects.map(\.code)
        answer.isMember = answer.project.map(members.contains) ?? true
        if answer.isMember { try fill(&answer, requests, entity, isNamed: product != nil) }
        return answer
    }

    private func fill(
        _ answer: inout Answer, _ requests: [any ProductRequest], _ entity: Entity, isNamed: Bool
    ) throws {
        let reading = try validated(answer.project)
        for request in requests {
            var file = File(name: request.files.name, title: request.title(session), state: .otherKind)
            if let kind = session.pack.record(request.record),
                let record = try reading.records(kind, holding: answer.id, of: entity).first
            {
                let isAnonymous = request.contents(in: session.pack).exports.contains(where: \.isAnonymous)
                file.state = .anonymous
                for project in reading.projects where !isAnonymous {
                    try fill(&file, request, kind, record, project, reading)
                    let errors = try reading.errors(of: record).map(described)
                    answer.errors += errors.filter { !answer.errors.contains($0) }
                }
            }
            if isNamed || file.state == .holds || file.state == .lacks { answer.files.append(file) }
        }
    }

    private func fill(
        _ file: inout File, _ request: any ProductRequest, _ kind: RecordKind, _ record: String,
        _ project: ReadSession.Project, _ reading: ReadSession
    ) throws {
        _ = try request.select(kind, in: project, request.files.selection, from: reading, session)
        let labels = session.leftOutLabels
        file.reasons = try reading.reasons(leavingOut: record).map { reason, detail in
            Reason(
                code: reason.rawValue, text: session.text("reason." + reason.rawValue),
                detail: labels[reason]?[detail] ?? detail)
        }
        if !actor.role.permissions.contains(request is ExportRequest ? .export : .report) {
            let role = session.label(ofRole: actor.role.name)
            file.reasons.append(Reason(code: "role", text: session.text("cli.why.role"), detail: role))
        }
        if try isWithheld(request, kind, project) {
            file.reasons.append(Reason(code: "withheld-file", text: session.text("cli.why.withheld"), detail: ""))
        }
        file.state = file.reasons.isEmpty ? .holds : .lacks
        file.deliveries = try reading.lines(with: record, export: file.name).map { line in
            Delivery(
                line: line,
                version: try replica.lastVersion(projectID: project.id, line: line, exportName: file.name))
        }
    }

    /// Whether errors of any selected record withhold the whole file. The session is a new one,
    /// because setting findings aside would hide them from later questions.
    private func isWithheld(_ request: any ProductRequest, _ kind: RecordKind, _ project: ReadSession.Project) throws
        -> Bool
    {
        guard request.files.policy == .withholdFile else { return false }
        let reading = try validated(project.code)
        _ = try request.select(kind, in: project, request.files.selection, from: reading, session)
        try reading.setFindingsAside(showing: request.shown(beside: kind, in: session.pack))
        return try reading.findings.counts(project: project.id).contains { $0.severity == .error && $0.open > 0 }
    }

    private func validated(_ project: String?) throws -> ReadSession {
        let reading = try ReadSession(
            path: session.replicaPath, pack: session.pack, actor: actor, projects: project.map { [$0] } ?? [],
            timeZone: session.timeZone, asOf: session.asOf)
        session.display.begin(session.text("word.validating"), total: nil)
        _ = try session.validate(reading, keepingIn: nil)
        session.display.end()
        return reading
    }

    private func described(_ finding: Finding) -> RecordError {
        let text = session.findingText
        return RecordError(
            code: finding.code, row: finding.place.key ?? finding.place.id ?? "", message: text.message(of: finding),
            remedy: text.remedy(of: finding), fingerprint: finding.fingerprint,
            isAccepted: finding.acceptance != nil)
    }

    /// The requests for the files of one export or report, or of all, as the commands make them.
    private func requests(_ product: String?, _ stated: SelectionRequest) throws -> [any ProductRequest] {
        let pack = session.pack
        if let product, pack.export(product) == nil, pack.report(product) == nil {
            try session.ensureSound(.export, product)
            try session.ensureSound(.report, product)
            throw SettingFailure.unknownExport(product, known: pack.exports.map(\.name) + pack.reports.map(\.name))
        }
        func files(_ conditions: DeliveryConditions, _ policy: FindingsPolicy) throws -> FileRequest {
            FileRequest(
                name: conditions.name, formats: [], selection: try conditions.selection(stated, session),
                policy: policy, outputDirectory: ".", line: .selection(stated))
        }
        let exports = try pack.exports.filter { product == nil || $0.name == product }.map { export in
            ExportRequest(
                definition: export, files: try files(DeliveryConditions(export, marks: false), export.policy))
        }
        let reports = try pack.reports.filter { $0.readsSelection && (product == nil || $0.name == product) }.map {
            DocumentRequest(
                definition: $0, files: try files(DeliveryConditions($0, marks: false), $0.policy),
                brand: Brand(name: ""))
        }
        return exports + reports
    }
}
