import JSONReading
import Model

/// What is wrong with a row that its values do not show, kept with it in the quarantine as the member `faults`: when the row is tried
/// again it comes back for as long as the member is there.
enum RowFaults {
    static let name = "faults"

    static func member(_ findings: [Finding]) -> JSONValue.Member {
        .init(key: name, value: .array(findings.map { finding in
            let arguments = finding.arguments.sorted { $0.key < $1.key }.map { JSONValue.Member(key: $0.key, value: .string($0.value)) }
            return .object([.init(key: "code", value: .string(finding.code)), .init(key: "arguments", value: .object(arguments))])
        }))
    }

    /// The row without its faults, and with them as findings.
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
