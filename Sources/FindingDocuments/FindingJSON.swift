internal import JSONReading
package import Model

/// Writes findings as a JSON array, one by one as they arrive. Equal findings give equal bytes.
///
///     [{"code": "FIELD-RANGE", "severity": "error", "title": "…", "message": "…", "remedy": "…",
///       "fingerprint": "0a1b…", "project": "TPA-2025",
///       "place": {"table": "calicatas", "id": "…", "key": "TPA-2025 / C-014",
///                 "field": "depth_m", "label": "Depth"},
///       "arguments": {"maximum": "30", "minimum": "0.1", "unit": "m", "value": "45"},
///       "acceptance": {"reason": "…", "actor": "…", "acceptedAt": "…", "until": "2026-03-31"}}]
///
/// A place has those of the members `table id key field label file sheet cell line column pointer`
/// that are known. `project` and `acceptance` are present if the finding has them, `status` after a
/// comparison. `FindingSchema` describes this form as a JSON Schema.
package final class FindingJSON: FindingSink {
    private let text: FindingText
    private let write: (String) throws -> Void
    private var count = 0

    package init(_ text: FindingText, write: @escaping (String) throws -> Void) {
        self.text = text
        self.write = write
    }

    package func add(_ finding: Finding) throws {
        try add(PlacedFinding(finding))
    }

    package func add(_ reported: PlacedFinding) throws {
        try write((count == 0 ? "[\n" : ",\n") + value(of: reported).description)
        count += 1
    }

    /// Closes the array; without findings it is `[]`.
    package func finish() throws {
        try write(count == 0 ? "[]\n" : "\n]\n")
    }

    private func value(of reported: PlacedFinding) -> JSONValue {
        let finding = reported.finding
        let arguments = finding.arguments.sorted { $0.key < $1.key }.map {
            JSONValue.Member(key: $0.key, value: .string($0.value))
        }
        var members: [JSONValue.Member] = [
            .init(key: "code", value: .string(finding.code)),
            .init(key: "severity", value: .string(finding.severity.rawValue)),
            .init(key: "title", value: .string(text.title(of: finding.code))),
            .init(key: "message", value: .string(text.message(of: finding))),
            .init(key: "remedy", value: .string(text.remedy(of: finding))),
            .init(key: "fingerprint", value: .string(finding.fingerprint)),
        ]
        if let status = reported.status { members.append(.init(key: "status", value: .string(status.rawValue))) }
        if let project = reported.project { members.append(.init(key: "project", value: .string(project))) }
        members.append(.init(key: "place", value: .object(place(of: finding))))
        members.append(.init(key: "arguments", value: .object(arguments)))
        if let acceptance = finding.acceptance {
            members.append(
                .init(
                    key: "acceptance",
                    value: .object([
                        .init(key: "reason", value: .string(acceptance.reason)),
                        .init(key: "actor", value: .string(acceptance.actor)),
                        .init(key: "acceptedAt", value: .string(acceptance.acceptedAt)),
                        .init(key: "until", value: .string(acceptance.until)),
                    ])))
        }
        return .object(members)
    }

    private func place(of finding: Finding) -> [JSONValue.Member] {
        let place = finding.place
        let texts: [(String, String?)] = [
            ("table", place.table), ("id", place.id), ("key", place.key), ("field", place.field),
            ("label", text.field(of: finding)),
            ("file", place.file), ("sheet", place.sheet), ("cell", place.cell),
        ]
        var members = texts.compactMap { name, value in value.map { JSONValue.Member(key: name, value: .string($0)) } }
        if let line = place.line { members.append(.init(key: "line", value: .number(String(line)))) }
        if let column = place.column { members.append(.init(key: "column", value: .number(String(column)))) }
        if let pointer = place.pointer { members.append(.init(key: "pointer", value: .string(pointer))) }
        return members
    }
}
