/// What goes on from one delivery to the next: on one line of a project and document, a later version takes the place of an earlier one, and
/// nothing else does. A job is a line, a selection is one, or a person names it.
package struct DeliveryLine: Sendable, Hashable {
    /// As the replica keeps it: `job:monthly 2026-10`, `line:bridge`, `selection:state=APROBADO`.
    package var name: String
    /// The same without its period, for a line that has one: the next period's goes on from it.
    package var series: String?
    /// By which names of files tell the line from others; empty where they need not.
    package var label: String

    private init(_ name: String, label: String) { (self.name, self.label) = (name, label) }

    package static func named(_ name: String) -> DeliveryLine { DeliveryLine("line:" + name, label: name) }

    /// The line of a project's survey packages.
    package static let package = DeliveryLine("package", label: "")

    /// The line of a step: its job, and the days that it is about.
    ///
    /// - Parameters:
    ///   - occurrence: how many steps of the job before it make the same.
    ///   - namesFiles: whether the job itself says what its files are called.
    package static func job(_ job: String, occurrence: Int, selection: SelectionRequest, namesFiles: Bool) -> DeliveryLine {
        let number = occurrence == 0 ? nil : String(occurrence + 1)
        // A period, or a window of days, is a delivery of its own; everything up to a day goes on.
        let days = selection.period ?? selection.from.map { "\($0)/\(selection.to ?? "")" }
        let series = "job:" + ([job] + [number].compactMap(\.self)).joined(separator: " ")
        var line = DeliveryLine(
            days.map { series + " " + $0 } ?? series, label: ((namesFiles ? [] : [job]) + [number].compactMap(\.self)).joined(separator: "-"))
        // Of a month's own records the next month misses none.
        if selection.period != nil, selection.from == nil { line.series = series }
        return line
    }

    /// The line of what is selected: the same records asked for again, by whomever, in whichever project and language.
    ///
    /// - Parameter records: codes of records, where they make the selection's filter.
    package static func selection(_ request: SelectionRequest, records: [String] = []) -> DeliveryLine {
        let stated = request.parts
        var labels = request.states.sorted() + (request.syncStates ?? []).map(\.rawValue).sorted() + [request.from, request.to].compactMap(\.self)
        if !records.isEmpty {
            labels += records.sorted()
        } else if let filter = request.filter {
            labels.append(digits(of: filter))
        }
        return DeliveryLine("selection:" + stated.joined(separator: ";"), label: labels.joined(separator: "-"))
    }

    /// The line of what an older version of the program registered: by its job, or by its selection as JSON.
    package static func former(job: String?, selection: SelectionRequest) -> DeliveryLine {
        job.map { .job($0, occurrence: 0, selection: selection, namesFiles: true) } ?? .selection(selection)
    }

    /// FNV-1a, eight digits: names of files only have to differ.
    private static func digits(of text: String) -> String {
        let digest = text.utf8.reduce(UInt32(0x811c_9dc5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        let digits = String(digest, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension SelectionRequest {
    /// What is asked for beside the projects, in one order: `state=APROBADO,EXPORTADO`, `from=2025-01-01`.
    package var parts: [String] {
        [
            states.isEmpty ? nil : "state=" + states.sorted().joined(separator: ","),
            syncStates.map { "sync=" + $0.map(\.rawValue).sorted().joined(separator: ",") },
            from.map { "from=" + $0 }, to.map { "to=" + $0 }, filter.map { "where=" + $0 },
        ].compactMap(\.self)
    }
}
