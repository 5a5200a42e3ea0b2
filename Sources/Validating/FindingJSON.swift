internal import JSONReading
package import Model

/// Findings as a JSON array, written one by one as they come; equal findings give equal bytes.
///
///     [{"code": "FIELD-RANGE", "severity": "error", "message": "…", "remedy": "…",
///       "place": {"table": "calicatas", "id": "…", "key": "TPA-2025 / C-014", "field": "depth_m"},
///       "arguments": {"maximum": "30", "minimum": "0.1", "unit": "m", "value": "45"}}]
///
/// A place has the members that are known, of `table id key field file sheet cell line column pointer`.
package final class FindingJSON: FindingSink {
    private let text: FindingText
    private let write: (String) throws -> Void
    private var count = 0

    package init(_ text: FindingText, write: @escaping (String) throws -> Void) {
        self.text = text
        self.write = write
    }

    package func report(_ finding: Finding) throws {
        try write((count == 0 ? "[\n" : ",\n") + value(of: finding).description)
        count += 1
    }

    /// Closes the array; without findings it is `[]`.
    package func finish() throws {
        try write(count == 0 ? "[]\n" : "\n]\n")
    }

    private func value(of finding: Finding) -> JSONValue {
        let place = finding.place
        let texts: [(String, String?)] = [
            ("table", place.table), ("id", place.id), ("key", place.key), ("field", place.field), ("file", place.file), ("sheet", place.sheet),
            ("cell", place.cell),
        ]
        var members = texts.compactMap { name, value in value.map { JSONValue.Member(key: name, value: .string($0)) } }
        if let line = place.line { members.append(.init(key: "line", value: .number(String(line)))) }
        if let column = place.column { members.append(.init(key: "column", value: .number(String(column)))) }
        if let pointer = place.pointer { members.append(.init(key: "pointer", value: .string(pointer))) }
        let arguments = finding.arguments.sorted { $0.key < $1.key }.map { JSONValue.Member(key: $0.key, value: .string($0.value)) }
        return .object([
            .init(key: "code", value: .string(finding.code)),
            .init(key: "severity", value: .string(finding.severity.rawValue)),
            .init(key: "message", value: .string(text.message(of: finding))),
            .init(key: "remedy", value: .string(text.remedy(of: finding))),
            .init(key: "place", value: .object(members)),
            .init(key: "arguments", value: .object(arguments)),
        ])
    }
}
