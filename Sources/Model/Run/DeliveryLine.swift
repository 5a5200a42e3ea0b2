import Digests

/// The sequence to which a delivery belongs. A later version replaces an earlier one only within
/// the same line of a project and a document. A line is a job, a selection, or a name chosen by a
/// person.
package struct DeliveryLine: Sendable, Hashable {
    /// The name in the replica: `job:monthly 2026-10`, `line:bridge`, `selection:state=APROBADO`.
    package var name: String
    /// The name without its period, for a line with a period: the next period's line continues it.
    package var series: String?
    /// The part of file names that distinguishes the line from other lines; empty if that is not
    /// needed.
    package var label: String

    private init(_ name: String, label: String) { (self.name, self.label) = (name, label) }

    /// The line with a name that a person chose.
    package static func named(_ name: String) -> DeliveryLine { DeliveryLine("line:" + name, label: name) }

    private static let correctionsMark = "corrections:"

    /// Whether a line has this name whose workbooks go out to be corrected.
    package static func isOfCorrections(_ name: String?) -> Bool { name?.hasPrefix(correctionsMark) == true }

    /// The line of workbooks that go out to be corrected: no delivery, so they replace none.
    package static func corrections(_ line: DeliveryLine, label: String) -> DeliveryLine {
        DeliveryLine(
            correctionsMark + line.name, label: [label, line.label].filter { !$0.isEmpty }.joined(separator: "-"))
    }

    /// The line of a project's survey packages.
    package static let package = DeliveryLine("package", label: "")

    /// The line of a job's step, for the days of its selection.
    ///
    /// - Parameters:
    ///   - occurrence: the number of earlier steps of the job with the same product.
    ///   - namesFiles: whether the job itself defines the names of its files.
    package static func job(_ job: String, occurrence: Int, selection: SelectionRequest, namesFiles: Bool)
        -> DeliveryLine
    {
        let number = occurrence == 0 ? nil : String(occurrence + 1)
        // Each period, or range of days, has a separate line. Deliveries of everything up to a day
        // share one line.
        let days = selection.period ?? selection.from.map { "\($0)/\(selection.to ?? "")" }
        let series = "job:" + ([job] + [number].compactMap(\.self)).joined(separator: " ")
        var line = DeliveryLine(
            days.map { series + " " + $0 } ?? series,
            label: ((namesFiles ? [] : [job]) + [number].compactMap(\.self)).joined(separator: "-"))
        // A delivery limited to its period's days has no series: it correctly lacks the records of
        // the period before.
        if selection.period != nil, selection.from == nil { line.series = series }
        return line
    }

    /// The line of a selection: the same selection by any actor, in any project and language.
    ///
    /// - Parameter records: codes of records, if they are the selection's filter.
    package static func selection(_ request: SelectionRequest, records: [String] = []) -> DeliveryLine {
        let stated = request.parts
        var labels =
            request.states.sorted() + (request.syncStates ?? []).map(\.rawValue).sorted()
            + [request.from, request.to].compactMap(\.self)
        labels += [request.near?.description, request.words].compactMap { $0.map(digits) }
        if !records.isEmpty {
            labels += records.sorted()
        } else if let filter = request.filter {
            labels.append(digits(of: filter))
        }
        return DeliveryLine("selection:" + stated.joined(separator: ";"), label: labels.joined(separator: "-"))
    }

    /// The line of a document that an older version of the program registered: from its job, or
    /// from its selection as JSON.
    package static func former(job: String?, selection: SelectionRequest) -> DeliveryLine {
        job.map { .job($0, occurrence: 0, selection: selection, namesFiles: true) } ?? .selection(selection)
    }

    /// Eight hexadecimal digits, enough to distinguish names of files.
    private static func digits(of text: String) -> String {
        QuickDigest.Short(Array(text.utf8).span).value.hexadecimal(8)
    }
}

extension SelectionRequest {
    /// The parts of the selection besides the projects, in a fixed order:
    /// `state=APROBADO,EXPORTADO`, `from=2025-01-01`.
    package var parts: [String] {
        [
            states.isEmpty ? nil : "state=" + states.sorted().joined(separator: ","),
            syncStates.map { "sync=" + $0.map(\.rawValue).sorted().joined(separator: ",") },
            from.map { "from=" + $0 }, to.map { "to=" + $0 }, near.map { "near=\($0)" }, words.map { "text=" + $0 },
            filter.map { "where=" + $0 },
        ].compactMap(\.self)
    }
}
