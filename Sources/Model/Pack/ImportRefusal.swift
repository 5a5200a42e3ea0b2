extension ImportMapping {
    /// A condition under which a whole file is refused, before any row of it comes in (`refuses` in
    /// `imports/NAME.yaml`). Texts: those of a rule, `rule.CODE`, `.message` and `.remedy`.
    package struct Refusal: Sendable, Hashable {
        /// Stable, upper case with hyphens: `SHEET-OLD`.
        package var code: String
        /// A read-only query over the replica's tables, as rules have. It may bind `:project` (the
        /// id of the project that the import was given), `:today` and the options by their names;
        /// each row that it gives is a reason.
        package var sql: String
        /// Columns of the query, or options, that the message quotes.
        package var arguments: [String]

        /// A file that does not come in is always an error.
        package static let severity = Severity.error

        init?(_ node: PackNode) {
            guard let code = node.text("code"), let sql = node.text("sql") else { return nil }
            (self.code, self.sql, arguments) = (code, sql, node.texts("arguments"))
        }
    }
}

extension Pack {
    /// The conditions of all mappings.
    package var refusals: [ImportMapping.Refusal] { imports.flatMap(\.refusals) }
}
