internal import Digests

/// How serious a finding is.
package enum Severity: String, Sendable, Codable, CodingKeyRepresentable, CaseIterable, Comparable {
    case note, warning, error

    package static func < (left: Severity, right: Severity) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}

/// An observation of a stage about data; a value, not an error. Its texts are
/// `finding.CODE.message` and `finding.CODE.remedy` (built-in codes) or `rule.CODE.message` and
/// `rule.CODE.remedy` (a pack's rules).
package struct Finding: Sendable, Hashable, Codable {
    /// Stable code: `FIELD-REQUIRED`, `CORTE-INVERTIDO`.
    package var code: String
    package var severity: Severity
    package var place: Place
    /// Values for the placeholders of the message, already redacted if private.
    package var arguments: [String: String]
    /// The acceptance of the finding; nil if there is none that is still valid.
    package var acceptance: Acceptance?

    /// A finding with a built-in code, with the severity declared in `FindingCatalogue`.
    package init(_ code: String, place: Place = Place(), arguments: [String: String] = [:]) {
        self.init(code: code, severity: FindingCatalogue.severity(of: code), place: place, arguments: arguments)
    }

    /// A finding with a given severity: that of a pack's rule, or the one stored by an earlier run.
    package init(
        code: String, severity: Severity, place: Place = Place(), arguments: [String: String] = [:],
        acceptance: Acceptance? = nil
    ) {
        self.code = code
        self.severity = severity
        self.place = place
        self.arguments = arguments
        self.acceptance = acceptance
    }
}

/// The place of a finding, as people see it: a row of the replica, or a spot in a file.
package struct Place: Sendable, Hashable, Codable {
    package var table: String?
    /// The row's `id`.
    package var id: String?
    /// The row's readable name: `CAL-012 / C-014 / 3`.
    package var key: String?
    package var field: String?
    package var file: String?
    package var sheet: String?
    /// A1 form.
    package var cell: String?
    /// One-based.
    package var line: Int?
    package var column: Int?
    /// JSON pointer (RFC 6901) or XPath.
    package var pointer: String?
    /// The part of the mapping that read the row: `registro-legado/1/0`, with tables and rows
    /// counted from zero.
    package var mapping: String?
    /// For a rejected row in a retry: the id of its first import.
    package var origin: String?

    package init(
        table: String? = nil, id: String? = nil, key: String? = nil, field: String? = nil, file: String? = nil,
        sheet: String? = nil, cell: String? = nil, line: Int? = nil, column: Int? = nil, pointer: String? = nil,
        mapping: String? = nil
    ) {
        self.table = table
        self.id = id
        self.key = key
        self.field = field
        self.file = file
        self.sheet = sheet
        self.cell = cell
        self.line = line
        self.column = column
        self.pointer = pointer
        self.mapping = mapping
    }
}

/// Receives findings as a stage produces them. Implementations use the same memory for any number.
package protocol FindingSink: AnyObject {
    func add(_ finding: Finding) throws
    /// Adds a finding about a row of a project; nil: the project is not known yet.
    func add(_ finding: Finding, inProject project: String?) throws
}

extension FindingSink {
    package func add(_ finding: Finding, inProject project: String?) throws { try add(finding) }
}

/// Stores findings in memory: for tests and for small sets.
package final class FindingList: FindingSink {
    package private(set) var findings: [Finding] = []
    package init() {}
    package func add(_ finding: Finding) { findings.append(finding) }
}

/// A person's statement that a finding is known and tolerated until a date. The finding is still
/// shown, as accepted, and no longer counts towards a threshold.
package struct Acceptance: Sendable, Hashable, Codable {
    package var reason: String
    /// The email of the person who accepted.
    package var actor: String
    /// The time of acceptance, in UTC (`Timestamp`).
    package var acceptedAt: String
    /// The last day on which it is valid, `yyyy-MM-dd` in the office's time zone.
    package var until: String

    package init(reason: String, actor: String, acceptedAt: String, until: String) {
        self.reason = reason
        self.actor = actor
        self.acceptedAt = acceptedAt
        self.until = until
    }
}

/// Decides which findings end a command with exit code 1. Accepted findings never count.
package struct FindingThresholds: Sendable, Hashable {
    package var failOn: FailOn
    /// The number of tolerated findings of severity error, which then replaces `failOn` for errors;
    /// nil: `failOn` decides.
    package var maximumErrors: Int?
    /// The tolerated number of findings by code. For these codes only this number counts, not the
    /// severity.
    package var allowed: [String: Int]

    package init(failOn: FailOn = .error, maximumErrors: Int? = nil, allowed: [String: Int] = [:]) {
        self.failOn = failOn
        self.maximumErrors = maximumErrors
        self.allowed = allowed
    }

    /// The exit code for findings: by code, their severity and how many of them are open.
    package func exitCode(for counts: [(code: String, severity: Severity, open: Int)]) -> ExitCode {
        if counts.contains(where: { FindingCatalogue.isGap($0.code) && allowed[$0.code] == nil && $0.open > 0 }) {
            return .findings
        }
        var found: [Severity: Int] = [:]
        var ofCode: [String: Int] = [:]
        for count in counts {
            if allowed[count.code] == nil {
                found[count.severity, default: 0] += count.open
            } else {
                ofCode[count.code, default: 0] += count.open
            }
        }
        if ofCode.contains(where: { $0.value > allowed[$0.key] ?? 0 }) { return .findings }
        let errors = found[.error] ?? 0
        if let maximumErrors {
            if errors > maximumErrors { return .findings }
        } else if failOn != .never, errors > 0 {
            return .findings
        }
        return failOn == .warning && found[.warning] ?? 0 > 0 ? .findings : .done
    }
}

extension Finding {
    /// Identifies a finding by code and place, the same from run to run: 32 hexadecimal digits of
    /// the SHA-256 of both.
    ///
    /// It does not include the values and the row's readable name: a row that was renamed, or
    /// that is wrong with another value, still has the same finding. Several findings of one code
    /// at one place share a fingerprint.
    package var fingerprint: String {
        var maker = FingerprintMaker()
        maker.take(self)
        return String(decoding: maker.digits, as: UTF8.self)
    }
}

/// Makes the fingerprints of many findings, one after the other, in the same memory: a first check
/// of migrated data has a finding for every record.
package struct FingerprintMaker {
    /// The last finding's fingerprint as text.
    package private(set) var digits: [UInt8] = []
    private var text: [UInt8] = []

    private static let separator: UInt8 = 0x1F

    package init() {}

    /// Makes the fingerprint of a finding, which is then in `digits`.
    package mutating func take(_ finding: Finding) {
        let place = finding.place
        text.removeAll(keepingCapacity: true)
        add(finding.code)
        next(place.table)
        // The id identifies a row of the replica; all known parts identify a spot in a file.
        if place.id != nil {
            next(place.id)
        } else {
            next(place.file)
            next(place.sheet)
            next(place.cell)
            next(place.line.map(String.init))
            next(place.column.map(String.init))
        }
        next(place.field)
        next(place.pointer)
        let sum = SHA256.digest(of: text.span)
        digits.removeAll(keepingCapacity: true)
        sum.first.appendHexadecimal(to: &digits)
        sum.second.appendHexadecimal(to: &digits)
    }

    private mutating func next(_ part: String?) {
        text.append(Self.separator)
        if let part { add(part) }
    }

    /// No part may have a separator, so that no two places give the same text.
    private mutating func add(_ part: String) {
        let start = text.count
        text.append(contentsOf: part.utf8)
        guard text[start...].contains(Self.separator) else { return }
        text.removeLast(text.count - start)
        for byte in part.utf8 {
            if byte == Self.separator { text.append(contentsOf: "\u{FFFD}".utf8) } else { text.append(byte) }
        }
    }
}
