import JSONReading
import Model

/// Stores findings that a row's values do not show with the row in the quarantine, as the member
/// `faults`: a retry rejects the row as long as the member is there.
enum RowFaults {
    static let name = "faults"

    static func member(_ findings: [Finding]) -> JSONValue.Member {
        .init(key: name, value: .array(findings.map { finding in
            let arguments = finding.arguments.sorted { $0.key < $1.key }.map { JSONValue.Member(key: $0.key, value: .string($0.value)) }
            return .object([.init(key: "code", value: .string(finding.code)), .init(key: "arguments", value: .object(arguments))])
        }))
    }

    /// Removes the faults from a row's values and adds them as findings.
    static func taken(from row: SourceRow) -> SourceRow {
        guard case .object(let members) = row.value, let faults = row.value[name]?.items else { return row }
        var taken = row
        taken.raw = row.raw ?? row.value.description
        taken.value = .object(members.filter { $0.key != name })
        taken.findings += faults.compactMap { fault in
            guard let code = fault["code"]?.text, FindingCatalogue.declares(code) else { return nil }
            let arguments = (fault["arguments"]?.members ?? []).map { ($0.key, $0.value.text ?? $0.value.description) }
            return Finding(
                code, place: Place(file: row.file, line: row.line), arguments: Dictionary(arguments) { first, _ in first })
        }
        return taken
    }
}
