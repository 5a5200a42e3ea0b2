import Model

/// Adds findings to the sink in their order. It looks up the names of their rows for 400 at a time,
/// so that sound rows cost nothing and memory stays flat with any number of findings.
final class FindingWriter {
    private let pack: Pack
    private let source: any ValidationSource
    private let sink: any FindingSink
    private let seconds: Double
    private let quotation: Quotation
    private var waiting: [Finding] = []
    private var namings: [String: FindingNames] = [:]
    private(set) var counts: [String: Int] = [:]
    private(set) var severities: [Severity: Int] = [:]

    private static let batchSize = 400
    /// Codes whose message names the family by the row of the finding.
    private static let namesFamily: Set<String> = ["SCHEMA-INVALID", "SCHEMA-DIFFERENCE"]

    init(pack: Pack, source: any ValidationSource, sink: any FindingSink, seconds: Double) {
        self.pack = pack
        self.source = source
        self.sink = sink
        self.seconds = seconds
        quotation = Quotation(pack: pack)
    }

    /// Adds a finding about a row.
    ///
    /// - Parameter severity: the severity that a rule states; nil: that of the code's declaration
    ///   in `FindingCatalogue`.
    func add(
        _ code: String, severity: Severity? = nil, entity: Entity, id: String?, field: String? = nil, pointer: String? = nil,
        arguments: [String: String] = [:]
    ) throws {
        let place = Place(table: entity.name, id: id, field: field, pointer: pointer)
        try take(severity.map { Finding(code: code, severity: $0, place: place, arguments: arguments) } ?? Finding(code, place: place, arguments: arguments))
    }

    /// Adds the findings of an earlier validation again, with current names of their rows.
    func addAgain(_ findings: [Finding]) throws {
        for finding in findings { try take(finding) }
        try flush()
    }

    private func take(_ finding: Finding) throws {
        counts[finding.code, default: 0] += 1
        severities[finding.severity, default: 0] += 1
        waiting.append(finding)
        if waiting.count >= Self.batchSize { try flush() }
    }

    /// Names the rows of the waiting findings, and writes them to the sink.
    func flush() throws {
        var names: [String: [String: String]] = [:]
        for (table, findings) in Dictionary(grouping: waiting, by: { $0.place.table ?? "" }) {
            guard let entity = pack.entity(table) else { continue }
            let naming = namings[table] ?? FindingNames(of: entity, in: pack, source: source, quotation: quotation)
            namings[table] = naming
            let ids = Set(findings.compactMap(\.place.id)).sorted()
            names[table] = try naming.names(of: ids, in: source, seconds: seconds)
        }
        for var finding in waiting {
            if let table = finding.place.table, let id = finding.place.id { finding.place.key = names[table]?[id] }
            if Self.namesFamily.contains(finding.code) { finding.arguments["family"] = finding.place.key ?? finding.place.id ?? "" }
            try sink.add(finding)
        }
        waiting.removeAll(keepingCapacity: true)
    }
}
