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

/// Something that a stage noticed about data; a value, not an error. Its texts are
/// `finding.CODE.message` and `finding.CODE.remedy` (built-in codes) or `rule.CODE.message` and
/// `rule.CODE.remedy` (a pack's rules).
package struct Finding: Sendable, Hashable, Codable {
    /// Stable code: `FIELD-REQUIRED`, `CORTE-INVERTIDO`.
    package var code: String
    package var severity: Severity
    package var place: Place
    /// Values for the placeholders of the message, already redacted where private.
    package var arguments: [String: String]
    /// The acceptance of the finding, while one is valid.
    package var acceptance: Acceptance?

    /// A finding of the program's own, with the severity of its declaration in `FindingCatalogue`.
    package init(_ code: String, place: Place = Place(), arguments: [String: String] = [:]) {
        self.init(code: code, severity: FindingCatalogue.severity(of: code), place: place, arguments: arguments)
    }

    /// A finding with a given severity: that of a pack's rule, or of an earlier run that kept it.
    package init(
        code: String, severity: Severity, place: Place = Place(), arguments: [String: String] = [:], acceptance: Acceptance? = nil
    ) {
        self.code = code
        self.severity = severity
        self.place = place
        self.arguments = arguments
        self.acceptance = acceptance
    }
}

/// Where a finding is, as people see it: a row of the replica, or a spot in a file.
package struct Place: Sendable, Hashable, Codable {
    package var table: String?
    /// The row's `id`.
    package var id: String?
    /// The row's name for people: `CAL-012 / C-014 / 3`.
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
    /// For a rejected row that is tried again: the id of its first import.
    package var origin: String?

    package init(
        table: String? = nil, id: String? = nil, key: String? = nil, field: String? = nil, file: String? = nil,
        sheet: String? = nil, cell: String? = nil, line: Int? = nil, column: Int? = nil, pointer: String? = nil, mapping: String? = nil
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

/// Takes findings as a stage produces them. Implementations keep memory flat for any number.
package protocol FindingSink: AnyObject {
    func add(_ finding: Finding) throws
    /// Adds a finding about a row whose project is known; nil: it is not known yet.
    func add(_ finding: Finding, inProject project: String?) throws
}

extension FindingSink {
    package func add(_ finding: Finding, inProject project: String?) throws { try add(finding) }
}

/// Keeps findings in memory: for tests and for small sets.
package final class FindingList: FindingSink {
    package private(set) var findings: [Finding] = []
    package init() {}
    package func add(_ finding: Finding) { findings.append(finding) }
}
