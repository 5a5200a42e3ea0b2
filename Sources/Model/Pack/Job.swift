/// A pipeline to run by hand or by cron. Text: `job.NAME`.
package struct Job: Sendable, Hashable {
    /// What a step makes.
    package enum Product: Sendable, Hashable {
        case export(String)
        case report(String)

        package var name: String {
            switch self {
            case .export(let name), .report(let name): name
            }
        }

        package var isExport: Bool {
            if case .export = self { true } else { false }
        }
    }

    package struct Step: Sendable, Hashable {
        package var product: Product
        package var formats: [ExportFormat]
        package var dialect: CSVDialect?
        package var selection: SelectionRequest
        package var policy: FindingsPolicy?
        package var zipped: Bool
        package var markExported: Bool
        /// Whether the step is done, and its files are made, although no record is selected.
        package var allowsEmpty: Bool

        package init(
            product: Product, formats: [ExportFormat], dialect: CSVDialect? = nil, selection: SelectionRequest,
            policy: FindingsPolicy? = nil, zipped: Bool = false, markExported: Bool = false, allowsEmpty: Bool = false
        ) {
            self.product = product
            self.formats = formats
            self.dialect = dialect
            self.selection = selection
            self.policy = policy
            self.zipped = zipped
            self.markExported = markExported
            self.allowsEmpty = allowsEmpty
        }
    }

    package var name: String
    package var steps: [Step]
    /// Directory and file name below the output directory; placeholders `{export}`, `{project}`, `{date}`, `{year}`, `{month}`, `{period}`, `{version}`, `{format}`.
    package var output: String?
    package var failOn: FailOn
    package var maximumErrors: Int?
    /// How many findings of a code are borne; these codes are judged by their number alone.
    package var allowed: [String: Int]
    /// Seconds to wait for another run to end; 0 ends at once with exit code 75.
    package var waitSeconds: Int
    /// The days that its deliveries are for: `last-month`, `2026-11`.
    package var period: String?
    /// Which records that means.
    package var records: Period.Records

    package init(
        name: String, steps: [Step], output: String? = nil, failOn: FailOn = .error, maximumErrors: Int? = nil, allowed: [String: Int] = [:],
        waitSeconds: Int = 0, period: String? = nil, records: Period.Records = .within
    ) {
        (self.period, self.records) = (period, records)
        self.name = name
        self.steps = steps
        self.output = output
        self.failOn = failOn
        self.maximumErrors = maximumErrors
        self.allowed = allowed
        self.waitSeconds = waitSeconds
    }
}

/// The severity of findings from which a command ends with exit code 1.
package enum FailOn: String, Sendable, CaseIterable, Codable {
    case error, warning, never
}

/// How a CSV file is written.
package enum CSVDialect: String, Sendable, CaseIterable, Codable {
    /// RFC 4180, UTF-8 without a mark, comma, decimal point.
    case standard
    /// For Excel in a Spanish locale: UTF-8 with a mark, semicolon, decimal comma.
    case excelSpanish = "excel-es"
    /// For Excel in an Italian locale: as the Spanish one, with Italian words for yes and no.
    case excelItalian = "excel-it"
}
