package import Foundation
package import Model
package import Photos

/// Checks the rows of a source against a pack: first all fields and rules of a row in one pass over
/// each table, then the checks over several rows or tables.
///
/// Memory does not grow with the number of rows or findings. The order of the findings follows the
/// pack and the source's order of rows, so that equal data give equal findings.
package struct Validator {
    /// The scope of a validation. A run with an export checks everything; the others are for
    /// corrections of one part, and for timing.
    package enum Scope: Sendable, Hashable {
        case everything
        /// Fields, parameters and row rules: one pass over each table.
        case rows
        /// Only these rules of the pack, which must be rules over tables or files (`isOverTables`).
        case rules(Set<String>)

        fileprivate var includesRows: Bool {
            if case .rules = self { return false }
            return true
        }

        fileprivate func includes(_ rule: Rule) -> Bool {
            switch self {
            case .everything: return true
            case .rows: return false
            case .rules(let codes): return codes.contains(rule.code)
            }
        }
    }

    fileprivate let pack: Pack
    fileprivate let seconds: Double
    fileprivate let photos: PhotoFolder?
    fileprivate let timeZone: TimeZone

    /// - Parameters:
    ///   - seconds: the time limit of each check over tables. Beyond it, the check ends with the
    ///     finding `RULE-TIMEOUT`.
    ///   - photos: the folder of the photos. Without it, rules about photos are not checked and are
    ///     listed in `hidden`.
    ///   - timeZone: the time zone for cameras that record none; the pack's by default.
    package init(pack: Pack, seconds: Double = 60, photos: PhotoFolder? = nil, timeZone: TimeZone? = nil) {
        self.pack = pack
        self.seconds = seconds
        self.photos = photos
        self.timeZone = timeZone ?? pack.officeZone
    }

    /// Checks everything in the source. Tables of the core are checked only if a rule of the pack
    /// is about them, since each actor sees different rows of these tables.
    ///
    /// Throws `ValidatingError` for a pack with mistakes, and the errors of the source and the
    /// sink.
    package func validate(
        _ source: any ValidationSource, into sink: any FindingSink, scope: Scope = .everything,
        progress: (ValidationProgress) -> Void = { _ in }
    ) throws -> ValidationSummary {
        try Validation(self, source, sink, scope).run(progress)
    }
}

/// One validation of a source, with its summary so far.
private final class Validation {
    private typealias Report = (ValidationProgress) -> Void

    private let validator: Validator
    private let pack: Pack
    private let source: any ValidationSource
    private let scope: Validator.Scope
    private let writer: FindingWriter
    private let checker: TableChecker
    private var summary = ValidationSummary()
    /// Rules over rows that read a field hidden from the actor.
    private var hidden: Set<String> = []

    init(_ validator: Validator, _ source: any ValidationSource, _ sink: any FindingSink, _ scope: Validator.Scope) {
        (self.validator, pack, self.source, self.scope) = (validator, validator.pack, source, scope)
        writer = FindingWriter(pack: pack, source: source, sink: sink, seconds: validator.seconds)
        checker = TableChecker(pack: pack, source: source, writer: writer, seconds: validator.seconds)
    }

    func run(_ progress: (ValidationProgress) -> Void) throws -> ValidationSummary {
        let ruled = Set(pack.rules.map(\.entity))
        for entity in pack.entities where scope.includesRows && (!entity.isCore || ruled.contains(entity.name)) {
            try checkRows(of: entity, progress)
            if scope != .rows { try checkTable(of: entity, progress) }
        }
        for rule in pack.rules { try check(rule, progress) }
        try writer.flush()
        summary.findings = writer.counts
        summary.severities = writer.severities
        return summary
    }

    /// Checks the fields and the rules of each row in one pass.
    private func checkRows(of entity: Entity, _ progress: Report) throws {
        let plan = try EntityPlan(entity, pack: pack, source: source)
        hidden.formUnion(plan.hiddenRules)
        progress(ValidationProgress(entity: entity.name, rows: 0))
        try perform(plan.reach) {
            var pass = RowPass(plan, pack: pack, source: source, writer: writer, seconds: validator.seconds)
            summary.rows[entity.name] = try pass.run(source.rows(of: entity.name, paths: plan.paths)) { count in
                progress(ValidationProgress(entity: entity.name, rows: count))
            }
            return true
        }
        try writer.flush()
        if let count = try source.rowCount(of: entity.name) { summary.rows[entity.name] = count }
    }

    /// Runs the built-in checks over the whole table.
    private func checkTable(of entity: Entity, _ progress: Report) throws {
        for check in TableChecks(pack: pack, source: source).checks(of: entity) {
            progress(ValidationProgress(entity: entity.name, rows: summary.rows[entity.name] ?? 0, rule: check.name))
            if try perform(check) == .timedOut { summary.timedOut.append(check.name) }
        }
    }

    private func check(_ rule: Rule, _ progress: Report) throws {
        let outcome: TableChecker.Outcome
        if case .row = rule.check, scope.includesRows {
            // The pass over the rows has already checked this rule.
            outcome = hidden.contains(rule.code) ? .hidden : .judged
        } else if !scope.includes(rule) {
            return
        } else if case .photo(let check) = rule.check {
            outcome = try checkPhotos(rule, check, progress)
        } else if let check = try RuleChecks(pack: pack, source: source).check(of: rule) {
            progress(ValidationProgress(entity: rule.entity, rows: summary.rows[rule.entity] ?? 0, rule: rule.code))
            outcome = try perform(check)
        } else {
            outcome = .hidden
        }
        switch outcome {
        case .judged: summary.judged.append(rule.code)
        case .timedOut: summary.timedOut.append(rule.code)
        case .hidden: summary.hidden.append(rule.code)
        }
    }

    private func checkPhotos(_ rule: Rule, _ check: PhotoCheck, _ progress: Report) throws -> TableChecker.Outcome {
        guard let photos = validator.photos, let plan = try PhotoPlan(rule, check, pack: pack, source: source) else {
            return .hidden
        }
        let checker = PhotoChecker(
            plan, pack: pack, folder: photos, timeZone: validator.timeZone, source: source, writer: writer)
        progress(ValidationProgress(entity: rule.entity, rows: 0, rule: rule.code))
        try perform(plan.reach) {
            try checker.run(source.rows(of: rule.entity, paths: plan.paths)) { count in
                progress(ValidationProgress(entity: rule.entity, rows: count, rule: rule.code))
            }
            return true
        }
        return .judged
    }

    private func perform(_ check: TableCheck) throws -> TableChecker.Outcome {
        var outcome = TableChecker.Outcome.judged
        try perform(check.reach) {
            outcome = try checker.judge(check)
            return outcome == .judged
        }
        return outcome
    }

    /// Runs a check, or repeats the findings that the source keeps of it. A partial scope keeps no
    /// findings: it is for timing, and for corrections of one part.
    ///
    /// - Parameter check: returns whether it examined everything.
    private func perform(_ reach: CheckReach, _ check: () throws -> Bool) throws {
        guard scope == .everything else {
            _ = try check()
            return
        }
        try writer.flush()
        try source.judge(reach, known: writer.addAgain) {
            let isWhole = try check()
            try writer.flush()
            return isWhole
        }
    }
}

/// The rows and the findings of a validation. Equal data under an equal pack give an equal summary.
package struct ValidationSummary: Sendable, Hashable, Codable {
    /// The number of checked rows by entity; entities without rows have 0.
    package var rows: [String: Int] = [:]
    /// Findings by code; codes without findings are absent.
    package var findings: [String: Int] = [:]
    /// Findings by severity.
    package var severities: [Severity: Int] = [:]
    /// Codes of the pack's rules that were checked over every row, in the pack's order.
    package var judged: [String] = []
    /// Codes of rules that were not checked, because they need a field hidden from the actor, or
    /// photos that are not available.
    package var hidden: [String] = []
    /// Checks that took too long, by rule code, or `FIELD-UNIQUE calicatas.code` for a built-in
    /// check.
    package var timedOut: [String] = []

    package init() {}

    /// The worst severity found; nil without findings.
    package var worst: Severity? { severities.filter { $0.value > 0 }.keys.max() }
    package var total: Int { findings.values.reduce(0, +) }
}

/// The progress of a validation.
package struct ValidationProgress: Sendable, Hashable {
    /// The entity whose rows are read, or whose rules are checked.
    package var entity: String
    /// The rows of the entity that were read so far.
    package var rows: Int
    /// The rule or check over tables in progress; nil during the pass over the rows.
    package var rule: String?
}

/// The reason why a validation cannot continue. Each is a mistake in the pack, which its loader
/// reports earlier and with the line.
package typealias ValidatingError = DeclaredFailure<Validator>

extension ValidatingError {
    /// A pattern of a field or a vocabulary that PCRE2 does not accept.
    package static func pattern(owner: String, reason: String) -> Self {
        Self("VALIDATION-PATTERN", .badConfiguration, ["owner": owner, "reason": reason])
    }
    /// An unknown name in an expression or a rule.
    package static func unknownName(owner: String, name: String) -> Self {
        Self("VALIDATION-NAME", .badConfiguration, ["owner": owner, "name": name])
    }
    /// A bound of a count rule that is neither a number nor a path.
    package static func bound(rule: String) -> Self { Self("VALIDATION-BOUND", .badConfiguration, ["rule": rule]) }
    /// A rule's SQL that is wrong, or does more than read data visible to the actor.
    package static func query(rule: String, isForbidden: Bool) -> Self {
        Self(isForbidden ? "VALIDATION-FORBIDDEN" : "VALIDATION-QUERY", .badConfiguration, ["rule": rule])
    }
}
