package import Foundation
package import Importing
package import Model
package import Replica

/// A person's change: the rows of a command are checked and applied in the same way as a file's,
/// all of them or none.
package struct ChangeRun {
    package let session: WorkSession
    package let replica: Replica
    package let actor: Actor
    /// The actor's projects, or the one given to the command.
    package let projects: [String]
    package let terms: ChangeTerms

    package struct Result: Encodable, Sendable {
        /// The id for `fichero undo`; nil if nothing was stored.
        package var change: String?
        package var command: String
        package var dryRun: Bool
        package var records: [ImportRecord]
        /// Removed rows, by table.
        package var removed: [String: Int]?
        package var findings: [Finding]
        /// Findings about the records which the change caused.
        package var newFindings: [Finding]?
        /// Reason why nothing was stored; the findings explain it.
        package var refusal: ChangeFailure?
        package var exitCode = ExitCode.done

        private enum CodingKeys: CodingKey { case change, command, dryRun, records, removed, findings, newFindings }
    }

    /// - Parameter permission: the permission for the command itself; `Judge` checks the rest.
    package init(_ session: WorkSession, _ terms: ChangeTerms, may permission: Permission) throws {
        (self.session, self.terms) = (session, terms)
        replica = try session.openReplica(waiting: terms.wait)
        actor = try session.actor(in: replica, to: permission)
        projects = try session.workProjectIDs(of: actor, terms.project, replica)
    }

    /// The state with this name or label, as a field and its value. Throws `ChangeStatementFailure`.
    package func state(_ name: String, of entity: Entity) throws -> (field: String, value: String?) {
        guard let field = entity.states.flatMap({ entity.field($0.field) }) else {
            throw ChangeStatementFailure.noState(entity.name)
        }
        guard let states = field.vocabulary.flatMap({ session.pack.vocabulary($0) }) else { return (field.name, name) }
        guard let state = session.value(called: name, in: states) else {
            throw ChangeStatementFailure.unknownStatus(name, known: session.words(of: states))
        }
        return (field.name, state)
    }

    package func projectNeeded() throws -> SettingFailure {
        .projectNeeded(known: try session.workProjects(of: actor, replica).map(\.code))
    }

    package func record(_ name: String) throws -> (entity: Entity, id: String) {
        let found = try replica.record(named: name, projectIDs: projects, actor: actor)
        return (found.entity, found.id)
    }

    /// Throws if a killed run has already made the requested change.
    package func ensureUnreported(_ command: String, _ isMeant: (UnreportedChange) throws -> Bool) throws {
        guard let change = try replica.unreportedChange(by: actor, command: command), try isMeant(change) else {
            return
        }
        throw AlreadyDoneFailure.done(change: change.id, command: command, at: change.time)
    }

    /// `field=value` as a field of an entity that the actor may write, and its value; an empty text
    /// after the sign means no value.
    package func value(_ statement: String, of entity: Entity) throws -> (field: String, value: String?) {
        guard let equals = statement.firstIndex(of: "="), equals != statement.startIndex else {
            throw ChangeStatementFailure.noStatement(statement)
        }
        let (name, text) = (String(statement[..<equals]), String(statement[statement.index(after: equals)...]))
        // The place of a row's file is set with --file: a path alone could name a file of others.
        let fixed = ["id", entity.file[.path]]
        let fields = entity.fields.filter { !fixed.contains($0.name) && actor.sees($0, of: session.pack) }
        let isNamed = { (field: Field) in field.name == name || field.otherNames.contains(name) }
        guard let field = fields.first(where: isNamed) ?? labelled(name, fields, of: entity) else {
            throw ChangeStatementFailure.unknownField(name, known: fields.map(\.name))
        }
        return (field.name, text.isEmpty ? nil : text)
    }

    /// The only field with this label, in any language.
    private func labelled(_ label: String, _ fields: [Field], of entity: Entity) -> Field? {
        let wanted = ColumnName.folded(label)
        let found = fields.filter { field in
            Language.allCases.contains {
                session.pack.texts.textIfAny(entity.textKey(of: field), in: $0).map(ColumnName.folded) == wanted
            }
        }
        return found.count == 1 ? found.first : nil
    }

    /// Makes the change. If it is refused, nothing is stored.
    ///
    /// - Parameter decision: the conflict that the change resolves.
    package func perform(
        _ command: String, _ rows: [EnteredRows.Row], permission: Permission, ending decision: ConflictDecision? = nil
    ) throws -> Result {
        var result = Result(command: command, dryRun: terms.isDryRun, records: [], findings: [])
        let findings = FindingList()
        let names = try names(of: rows)
        do {
            let report = try RunScope.perform(
                session, replica, session.context(actor), command: command, waitSeconds: terms.wait
            ) { scope in
                let look = terms.isDryRun ? nil : ChangedRecords(session, actor, rows)
                let report = try store(rows, command, permission, decision, scope, findings) {
                    result.records.append($0)
                }
                if report.changesSomething { result.newFindings = look?.newFindings() }
                result.exitCode = terms.failOn.exitCode(
                    for: (result.newFindings ?? []).filter { $0.acceptance == nil }.map(\.severity).max())
                return (report, result.exitCode, JSONString.document(report))
            }
            result.change = terms.isDryRun || !report.changesSomething ? nil : report.id
            result.removed = report.removed
            let now = try self.names(of: rows).merging(names) { new, _ in new }
            for index in result.records.indices {
                result.records[index].key = result.records[index].id.flatMap { now[$0] } ?? result.records[index].key
            }
        } catch let refused as ChangeFailure {
            (result.refusal, result.records) = (refused, [])
        }
        result.findings = findings.findings
        return result
    }

    /// The readable names of the rows, as far as the rows exist.
    private func names(of rows: [EnteredRows.Row]) throws -> [String: String] {
        try rows.reduce(into: [:]) { names, row in
            names[row.id] =
                try row.name ?? session.pack.entity(row.entity).flatMap { try replica.name(of: $0, id: row.id) }
        }
    }

    private func store(
        _ rows: [EnteredRows.Row], _ command: String, _ permission: Permission, _ decision: ConflictDecision?,
        _ scope: RunScope,
        _ findings: FindingList, _ tell: @escaping (ImportRecord) -> Void
    ) throws -> ImportAccount {
        var request = ImportRequest(
            runID: scope.context.id, source: command, format: "command", actor: actor,
            environment: scope.context.environment,
            startedAt: scope.context.asOf, policy: .update, isDryRun: terms.isDryRun, reason: terms.reason)
        (request.permission, request.decision, request.records) = (permission, decision, tell)
        return try scope.store(rows, as: request, into: findings)
    }
}

extension RunScope {
    /// Stores rows that a person entered, all of them or none. They are checked and applied as a file's are.
    ///
    /// - Parameter request: the source, the actor and the terms; the rest is as for every person's change.
    func store(_ rows: [EnteredRows.Row], as request: ImportRequest, into findings: FindingList) throws
        -> ImportAccount
    {
        var request = request
        request.origin = .person
        // The author of a new project becomes its member.
        request.joins = rows.contains { $0.entity == session.pack.project.entity }
        request.validation = session.recordValidation
        let lookup = replica.rowLookup()
        defer { lookup.close() }
        return try replica.importRows(request, findings: findings, finishedAt: { context.asOf }) { target in
            _ = try Importer(pack: session.pack, parent: lookup.parent).run(
                EnteredRows(rows, named: request.source, pack: session.pack), into: target, findings: findings,
                progress: { _ in })
            lookup.close()
        }
    }
}

extension EnteredRows.Row {
    /// Sets a field of the entity that the row does not have yet.
    package mutating func give(_ field: String, _ value: String?, of entity: Entity) {
        guard let value, entity.field(field) != nil, !values.contains(where: { $0.field == field }) else { return }
        values.append((field, value))
    }

    /// Fills in what every new row begins with: state, author and times.
    package mutating func begin(as entity: Entity, by actor: Actor, at time: Date) {
        if let states = entity.states { give(states.field, states.initial, of: entity) }
        if entity.field("created_by")?.references == "profiles" { give("created_by", actor.id, of: entity) }
        for field in ["created_at", "updated_at"] { give(field, Timestamp.format(time), of: entity) }
    }
}

/// The terms of a change, beside its rows.
package struct ChangeTerms {
    /// The code of the project whose records are meant; a new record's project.
    package var project: String?
    /// The reason for the log; a closed record is changed only with a reason.
    package var reason: String?
    package var isDryRun = false
    /// The severity from which new findings of the records give exit code 1.
    package var failOn = FailOn.error
    /// Seconds to wait for another run.
    package var wait = 60

    package init() {}
}

extension FailOn {
    package func exitCode(for worst: Severity?) -> Model.ExitCode {
        guard let worst else { return .done }
        switch self {
        case .never: return .done
        case .warning: return worst >= .warning ? .findings : .done
        case .error: return worst >= .error ? .findings : .done
        }
    }
}

/// Reason why a command does not describe a valid change.
package typealias ChangeStatementFailure = DeclaredFailure<ChangeRun>

extension ChangeStatementFailure {
    package static func noStatement(_ text: String) -> Self { Self("CHANGE-STATEMENT", .usage, ["value": text]) }
    package static func unknownField(_ name: String, known: [String]) -> Self {
        Self("CHANGE-FIELD", .usage, ["value": name, "known": known])
    }
    package static func unknownEntity(_ name: String, known: [String]) -> Self {
        Self("CHANGE-TABLE", .usage, ["value": name, "known": known])
    }
    /// No change was given; `options` are those with which one is given.
    package static func nothingStated(options: String = "--set") -> Self {
        Self("CHANGE-NOTHING", .usage, ["options": options])
    }
    /// The entity has no states.
    package static func noState(_ entity: String) -> Self { Self("CHANGE-NO-STATE", .usage, ["name": entity]) }
    /// The record to which the new row belongs is not given.
    package static func noOwner(entity: String, owner: String) -> Self {
        Self("CHANGE-OWNER", .usage, ["name": entity, "owner": owner])
    }
    package static func unknownRole(_ name: String, known: [String]) -> Self {
        Self("CHANGE-ROLE", .usage, ["value": name, "known": known])
    }
    package static func unknownStatus(_ name: String, known: [String]) -> Self {
        Self("CHANGE-STATUS", .usage, ["value": name, "known": known])
    }
    /// Rows of the entity have no files.
    package static func noFile(_ entity: String) -> Self { Self("CHANGE-NO-FILE", .usage, ["name": entity]) }
    /// Not a regular file, or one that cannot be read or is being written.
    package static func noSuchFile(_ path: String) -> Self { Self("CHANGE-FILE", .badInput, ["path": path]) }
    /// The row's file must have this ending.
    package static func otherFile(_ path: String, ending: String) -> Self {
        Self("CHANGE-FILE-KIND", .badInput, ["path": path, "ending": ending])
    }
}
