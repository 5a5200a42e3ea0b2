/// A check beyond one field. Texts: `rule.CODE` (title), `rule.CODE.message` and
/// `rule.CODE.remedy`, whose placeholders are `{key}` (the row's readable name) and the names in
/// `arguments`.
package struct Rule: Sendable, Hashable {
    package enum Check: Sendable, Hashable {
        /// An expression over one row that must not be false; unknown (a missing operand) passes.
        case row(Expression)
        /// A read-only query that returns the rows that break the rule: a column `id` (of a row of
        /// `entity`) and one for each argument.
        case query(String)
        /// The number of rows of another entity whose references lead to the row (or whose ids are
        /// in the row's list field) must be within bounds. Each bound is an integer literal or a
        /// path from the row (`type_id.family_id.photo_min`).
        case count(of: String, by: FieldPath, minimum: Expression?, maximum: Expression?)
        /// Opens the row's photo and compares it with its record. Each fault has a built-in code
        /// (`PHOTO-…`); the rule's code only identifies the rule.
        case photo(PhotoCheck)
    }

    /// The rows on which a check's result depends. The narrower the scope, the fewer rows are
    /// checked again after a change.
    package enum Scope: String, Sendable, CaseIterable {
        /// The row itself.
        case row
        /// The rows of its record.
        case record
        /// The rows of its project.
        case project
    }

    /// Stable, upper case with hyphens: `CORTE-INVERTIDO`.
    package var code: String
    package var entity: String
    package var severity: Severity
    /// The field shown in the finding.
    package var field: String?
    /// Only rows for which this is true are checked.
    package var when: Expression?
    package var check: Check
    /// Fields (or query columns) whose values the message quotes.
    package var arguments: [String] = []
    /// The scope of a query; nil: any row that it reads may change the result of any other.
    package var scope: Scope?

    /// The codes of its findings.
    package var findingCodes: [String] {
        if case .photo = check { return PhotoCheck.codes }
        return [code]
    }

    /// Whether the rule is checked separately, over tables or files, and not in the pass over the
    /// rows.
    package var isOverTables: Bool {
        if case .row = check { return false }
        return true
    }
}

extension Rule {
    /// Reads a rule of `rules/*.yaml`.
    package init?(_ node: PackNode) {
        guard let code = node.text("code"), let entity = node.text("entity"), let check = Check(node) else {
            return nil
        }
        self.init(
            code: code, entity: entity, severity: node.word("severity") ?? .error, field: node.text("field"),
            when: node.expression("when"),
            check: check, arguments: node.texts("arguments"), scope: node.word("scope"))
    }
}

extension Rule.Check {
    fileprivate init?(_ node: PackNode) {
        switch node.text("check") {
        case "row":
            guard let demand = node.expression("require") else { return nil }
            self = .row(demand)
        case "query":
            guard let sql = node.text("sql") else { return nil }
            self = .query(sql)
        case "count":
            guard let of = node.text("of"), let by = node.path("by") else { return nil }
            self = .count(of: of, by: by, minimum: Self.bound(node["min"]), maximum: Self.bound(node["max"]))
        case "photo":
            guard let photo = PhotoCheck(node) else { return nil }
            self = .photo(photo)
        default:
            return nil
        }
    }

    private static func bound(_ node: PackNode?) -> Expression? {
        guard let node, let text = node.text else { return nil }
        return node.integer == nil ? .field(FieldPath(text)) : .number(text)
    }
}

/// The paths to the facts that are compared with a photo's file. All but the file are optional. All
/// paths start at the photo's row.
package struct PhotoCheck: Sendable, Hashable {
    /// The field with the path where an import stores the file, relative to the replica's folder.
    package var file: FieldPath
    /// Maximum pixels of the longer side.
    package var longestSide: Int?
    package var bytes: FieldPath?
    package var sha256: FieldPath?
    /// The instant of the exposure.
    package var time: FieldPath?
    /// Seconds by which the camera's time may differ from the recorded one.
    package var timeTolerance = 120
    package var place: RecordKind.Place?
    /// Metres by which the camera's position may differ from the recorded one.
    package var reach = 100

    /// Every field that the check reads.
    package var paths: [FieldPath] {
        [file] + [bytes, sha256, time].compactMap(\.self) + (place?.paths ?? []) + [place?.datum].compactMap(\.self)
    }

    /// The finding codes of its faults.
    package static let codes = [
        "PHOTO-FILE-MISSING", "PHOTO-UNREADABLE", "PHOTO-NOT-JPEG", "PHOTO-TRUNCATED", "PHOTO-TOO-LARGE", "PHOTO-SIZE",
        "PHOTO-CHECKSUM",
        "PHOTO-TIME", "PHOTO-PLACE",
    ]
}

extension PhotoCheck {
    init?(_ node: PackNode) {
        guard let file = node.path("file") else { return nil }
        self.init(
            file: file, longestSide: node.integer("longestSide"), bytes: node.path("bytes"),
            sha256: node.path("sha256"), time: node.path("time"))
        if let tolerance = node.integer("timeTolerance") { timeTolerance = tolerance }
        place = node["place"].flatMap(RecordKind.Place.init)
        if let reach = node["place"]?.integer("within") { self.reach = reach }
    }
}
