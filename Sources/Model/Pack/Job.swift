/// A pipeline to run by hand or by cron. Text: `job.NAME`.
package struct Job: Sendable, Hashable {
    /// The product of a step.
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
        /// Which records its delivery for a period includes; nil: as the job says.
        package var records: Period.Records?
        package var policy: FindingsPolicy?
        package var zipped = false
        /// Whether the step marks the delivered records as exported.
        package var markExported = false
        /// Whether the step runs and makes its files although no record is selected.
        package var allowsEmpty = false
    }

    /// When a job syncs with the central database.
    package enum SyncMoment: String, Sendable, CaseIterable, Codable {
        /// Before its steps: a delivery then contains the data confirmed by the server.
        case before
        /// After its steps: registered deliveries are uploaded at once.
        case after
    }

    package var name: String
    package var steps: [Step]
    package var syncs: [SyncMoment] = []
    /// Whether the job may sync in the environment PROD.
    package var meansProduction = false
    /// The directory and file name below the output directory, with the placeholders `{export}`,
    /// `{project}`, `{date}`, `{year}`, `{month}`, `{period}`, `{version}`, `{format}`.
    package var output: String?
    package var failOn: FailOn = .error
    package var maximumErrors: Int?
    /// The tolerated number of findings of a code. For these codes only this number counts.
    package var allowed: [String: Int] = [:]
    /// Seconds to wait for another run to end; 0 exits at once with code 75.
    package var waitSeconds = 0
    /// The period of its deliveries: `last-month`, `2026-11`.
    package var period: String?
    /// Which records a delivery for the period includes.
    package var records: Period.Records = .within
}

extension Job {
    /// The same job for a period. Where a product asks for the days in its own queries, they choose
    /// no records, and it gets both of them whatever `records` says.
    package func of(_ period: Period, in pack: Pack) -> Job {
        var job = self
        for (index, step) in steps.enumerated() {
            let records = pack.asksForDays(step.product) ? .within : step.records ?? records
            job.steps[index].selection = step.selection.of(period, records)
        }
        return job
    }

    /// Reads a job of `jobs/*.yaml`, or of an office's file.
    ///
    /// - Parameter pack: the pack with its exports and reports.
    package init?(_ node: PackNode, of pack: Pack) {
        guard let name = node.text("job") else { return nil }
        let allowed = node.items("allow").compactMap { item in
            item.text("code").flatMap { code in item.integer("count").map { (code, $0) } }
        }
        self.init(
            name: name, steps: node.items("steps").compactMap { Step($0, of: pack) }, output: node.text("output"),
            failOn: node.word("failOn") ?? .error, maximumErrors: node.integer("maxErrors"),
            allowed: Dictionary(allowed) { first, _ in first }, waitSeconds: node.integer("wait") ?? 0,
            period: node.text("period"),
            records: node.word("records") ?? .within)
        (syncs, meansProduction) = (node.words("sync"), node.isTrue("production"))
    }
}

extension Job.Step {
    init?(_ node: PackNode, of pack: Pack) {
        let product: Job.Product
        let offered: [ExportFormat]
        if let name = node.text("export") {
            product = .export(name)
            offered = pack.export(name)?.formats ?? []
        } else if let name = node.text("report") {
            product = .report(name)
            offered = pack.report(name)?.formats ?? []
        } else {
            return nil
        }
        self.init(
            product: product, formats: node["formats"] == nil ? offered : node.words("formats"),
            dialect: node.word("dialect"),
            selection: SelectionRequest(
                projects: node.texts("projects"), states: node.texts("states"),
                syncStates: node["syncStates"] == nil ? nil : node.words("syncStates"), from: node.text("from"),
                to: node.text("to"),
                near: node.text("near").flatMap { place in
                    node.text("within").flatMap { Nearby(place: place, distance: $0) }
                }, words: node.text("text"), filter: node.text("where")),
            records: node.word("records"), policy: node.word("policy"), zipped: node.isTrue("zip"),
            markExported: node.isTrue("markExported"),
            allowsEmpty: node.isTrue("allowEmpty"))
    }
}

extension Pack {
    /// Whether the queries of an export or report use the days of the selection.
    package func asksForDays(_ product: Job.Product) -> Bool {
        switch product {
        case .export(let name): export(name)?.asksForDays == true
        case .report(let name): report(name)?.asksForDays == true
        }
    }
}

/// The least severity of findings that ends a command with exit code 1.
package enum FailOn: String, Sendable, CaseIterable, Codable {
    case error, warning, never
}

/// The form of a CSV file.
package enum CSVDialect: String, Sendable, CaseIterable, Codable {
    /// RFC 4180, UTF-8 without a byte order mark, comma, decimal point.
    case standard
    /// For Excel in Peru: UTF-8 with a byte order mark, comma, decimal point. The dialects for Excel
    /// show labels and words in the run's language.
    case excelPeruvian = "excel-pe"
    /// For Excel in Spain: the same with a semicolon and a decimal comma.
    case excelSpanish = "excel-es"
    /// For Excel in Italy: semicolon and decimal comma.
    case excelItalian = "excel-it"
    /// For Excel in the United States: comma and decimal point.
    case excelAmerican = "excel-us"

    /// Cities of countries that write Spanish with a decimal point, by CLDR.
    private static let pointZones: Set = [
        "Lima", "Mexico_City", "Cancun", "Monterrey", "Merida", "Chihuahua", "Hermosillo", "Mazatlan", "Tijuana",
        "Ciudad_Juarez", "Matamoros", "Ojinaga", "Bahia_Banderas", "Guatemala", "El_Salvador", "Tegucigalpa", "Managua",
        "Panama", "Santo_Domingo", "Puerto_Rico", "Havana",
    ]
    /// Cities of countries that write Spanish with a decimal comma, by CLDR, beside Argentina's.
    private static let commaZones: Set = [
        "Madrid", "Canary", "Ceuta", "Bogota", "Santiago", "Punta_Arenas", "Easter", "Caracas", "Guayaquil",
        "Galapagos", "La_Paz", "Asuncion", "Montevideo", "Costa_Rica", "Buenos_Aires",
    ]
    private static let italianZones: Set = ["Rome", "San_Marino", "Vatican"]
    private static let americanZones: Set = [
        "New_York", "Detroit", "Chicago", "Menominee", "Denver", "Boise", "Phoenix", "Los_Angeles", "Anchorage",
        "Juneau", "Sitka", "Nome", "Honolulu",
    ]

    /// The dialect of Excel in the office's country, which its time zone tells; `standard` where the
    /// language is not the country's, and in zones that tell no country.
    package init(timeZone: String, language: Language) {
        let city = timeZone.split(separator: "/").last.map(String.init) ?? ""
        let isAmerican = Self.americanZones.contains(city) || timeZone.contains("/Indiana/")
        let hasComma = Self.commaZones.contains(city) || timeZone.contains("/Argentina/")
        self =
            switch language {
            case .spanish where Self.pointZones.contains(city): .excelPeruvian
            case .spanish where hasComma: .excelSpanish
            case .italian where Self.italianZones.contains(city): .excelItalian
            case .spanish where isAmerican, .english where isAmerican: .excelAmerican
            default: .standard
            }
    }

    package var isForExcel: Bool { self != .standard }
    package var hasDecimalComma: Bool { self == .excelSpanish || self == .excelItalian }
}
