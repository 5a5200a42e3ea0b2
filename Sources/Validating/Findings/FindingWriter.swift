import Model

/// Passes findings to the sink in their order. It looks up the names of 400 rows at a time, so that
/// correct rows cost nothing and memory is bounded for any number of findings.
final class FindingWriter {
    private let pack: Pack
    private let source: any ValidationSource
    private let sink: any FindingSink
    private let seconds: Double
    private let quotation: Quotation
    /// Findings that were not yet passed to the sink.
    private var waiting: [Finding] = []
    private var namings: [String: FindingNames] = [:]
    private(set) var counts: [String: Int] = [:]
    private(set) var severities: [Severity: Int] = [:]

    private static let batchSize = 400
    /// Codes whose message names a family, which is the finding's row.
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
    /// - Parameter severity: the severity of a rule; nil: the one declared for the code in
    ///   `FindingCatalogue`.
    func add(
        _ code: String, severity: Severity? = nil, entity: Entity, id: String?, field: String? = nil,
        pointer: String? = nil,
        arguments: [String: String] = [:]
    ) throws {
        let place = Place(table: entity.name, id: id, field: field, pointer: pointer)
        try take(
            severity.map { Finding(code: code, severity: $0, place: place, arguments: arguments) }
                ?? Finding(code, place: place, arguments: arguments))
    }

    /// Repeats the findings of an earlier validation, with current names of their rows.
    func addAgain(_ findings: [Finding]) throws {
        for finding in findings { try take(finding) }
        try flush()
    }

    /// Counts a finding and adds it to the waiting ones.
    private func take(_ finding: Finding) throws {
        counts[finding.code, default: 0] += 1
        severities[finding.severity, default: 0] += 1
        waiting.append(finding)
        if waiting.count >= Self.batchSize { try flush() }
    }

    /// Looks up the rows of the waiting findings, and writes them to the sink.
    func flush() throws {
        var findings: [Finding] = []
        swap(&findings, &waiting)
        var start = 0
        // Findings of one table are usually adjacent.
        while start < findings.count {
            let table = findings[start].place.table
            var end = start + 1
            while end < findings.count, findings[end].place.table == table { end += 1 }
            try write(&findings, start..<end, of: table.flatMap { pack.entity($0) })
            start = end
        }
        findings.removeAll(keepingCapacity: true)
        swap(&findings, &waiting)
    }

    private func write(_ findings: inout [Finding], _ range: Range<Int>, of entity: Entity?) throws {
        let rows =
            try entity.map { try naming(of: $0).rows(of: ids(of: findings[range]), in: source, seconds: seconds) }
            ?? [:]
        for index in range {
            let row = findings[index].place.id.flatMap { rows[$0] }
            if findings[index].place.table != nil, findings[index].place.id != nil {
                findings[index].place.key = row?.name
            }
            if Self.namesFamily.contains(findings[index].code) {
                findings[index].arguments["family"] = findings[index].place.key ?? findings[index].place.id ?? ""
            }
            try sink.add(findings[index], inProject: row?.project)
        }
    }

    /// The ids of the rows. Findings of one row are adjacent.
    private func ids(of findings: ArraySlice<Finding>) -> [String] {
        var ids: [String] = []
        for finding in findings {
            if let id = finding.place.id, id != ids.last { ids.append(id) }
        }
        return ids
    }

    private func naming(of entity: Entity) -> FindingNames {
        if let known = namings[entity.name] { return known }
        let naming = FindingNames(of: entity, in: pack, source: source, quotation: quotation)
        namings[entity.name] = naming
        return naming
    }
}
