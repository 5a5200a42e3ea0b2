internal import JSONReading
package import Model

/// Writes findings as SARIF 2.1.0 (OASIS Standard, 27 March 2020), one by one as they arrive, a
/// format for the results of checking tools. Equal findings give equal bytes; the only time in the
/// file is the run's as-of time.
package final class FindingSARIF {
    /// A code that the program or the pack can report.
    package struct Rule: Sendable, Hashable {
        package var code: String
        package var severity: Severity

        package init(code: String, severity: Severity) {
            self.code = code
            self.severity = severity
        }

        /// All codes of the program and of a pack, in order.
        package static func all(of pack: Pack) -> [Rule] {
            FindingCatalogue.declarations.map { Rule(code: $0.code, severity: $0.severity) }
                + pack.rules.map { Rule(code: $0.code, severity: $0.severity) }
        }
    }

    private let text: FindingText
    private let head: FindingDocumentHead
    private let rules: [Rule]
    private let places: [String: Int]
    private let write: (String) throws -> Void

    package init(
        _ text: FindingText, head: FindingDocumentHead, rules: [Rule], write: @escaping (String) throws -> Void
    ) {
        self.text = text
        self.head = head
        self.rules = rules
        self.write = write
        places = Dictionary(rules.enumerated().map { ($0.element.code, $0.offset) }) { first, _ in first }
    }

    package func write(_ source: any FindingSource) throws {
        try write("""
            {"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{
            "tool":\(tool.description),
            "language":\(JSONValue.string(text.language.rawValue)),
            "columnKind":"unicodeCodePoints",
            "invocations":\(invocations.description),
            "results":[
            """)
        var isFirst = true
        try source.forEach { reported in
            try write((isFirst ? "\n" : ",\n") + result(reported).description)
            isFirst = false
        }
        try write("\n]}]}\n")
    }

    // MARK: The run

    private var tool: JSONValue {
        let described = rules.map { rule -> JSONValue in
            .object([
                ("id", .string(rule.code)),
                ("shortDescription", Self.message(text.title(of: rule.code))),
                ("fullDescription", Self.message(Self.readable(text.message(of: rule.code)))),
                ("help", Self.message(Self.readable(text.remedy(of: rule.code)))),
                ("defaultConfiguration", .object([("level", .string(rule.severity.rawValue))])),
            ])
        }
        return .object([
            ("driver", .object([
                ("name", .string("Fichero")),
                ("version", .string(head.programVersion)),
                ("semanticVersion", .string(head.programVersion)),
                ("language", .string(text.language.rawValue)),
                ("rules", .array(described)),
                ("properties", .object([("pack", .string(head.packName)), ("packVersion", .string(head.packVersion))])),
            ])),
        ])
    }

    private var invocations: JSONValue {
        .array([.object([("executionSuccessful", .bool(true)), ("endTimeUtc", .string(Timestamp.format(head.asOf)))])])
    }

    /// SARIF has no named placeholders, so `{name}` is shown as `‹name›`.
    private static func readable(_ template: String) -> String {
        template.replacing("{", with: "‹").replacing("}", with: "›")
    }

    // MARK: A result

    private func result(_ reported: PlacedFinding) -> JSONValue {
        let finding = reported.finding
        var members: [(String, JSONValue)] = [("ruleId", .string(finding.code))]
        if let place = places[finding.code] { members.append(("ruleIndex", .number(String(place)))) }
        members += [
            ("level", .string(finding.severity.rawValue)),
            ("message", Self.message(text.message(of: finding))),
        ]
        let location = self.location(finding)
        if !location.isEmpty { members.append(("locations", .array([.object(location)]))) }
        members.append(("partialFingerprints", .object([("ficheroFinding/v1", .string(finding.fingerprint))])))
        // If one result of a run has `suppressions`, all must have it (3.27.23).
        members.append(("suppressions", .array(finding.acceptance.map { [suppression($0)] } ?? [])))
        var properties = [("remedy", text.remedy(of: finding))]
        if let project = reported.project { properties.append(("project", project)) }
        if let id = finding.place.id { properties.append(("id", id)) }
        members.append(("properties", .object(properties.map { ($0.0, .string($0.1)) })))
        return .object(members)
    }

    private func location(_ finding: Finding) -> [(String, JSONValue)] {
        let place = finding.place
        var location: [(String, JSONValue)] = []
        if let file = place.file {
            var physical: [(String, JSONValue)] = [
                ("artifactLocation", .object([("uri", .string(Self.address(file)))]))
            ]
            if let line = place.line, line > 0 {
                var region: [(String, JSONValue)] = [("startLine", .number(String(line)))]
                if let column = place.column, column > 0 { region.append(("startColumn", .number(String(column)))) }
                physical.append(("region", .object(region)))
            }
            location.append(("physicalLocation", .object(physical)))
        }
        var logical: [JSONValue] = []
        if let table = place.table {
            let name = [table, place.key ?? place.id, place.field].compactMap { $0 }.joined(separator: "/")
            logical.append(
                .object([
                    ("name", .string(place.field ?? table)), ("fullyQualifiedName", .string(name)),
                    ("decoratedName", .string(text.place(of: finding))),
                    ("kind", .string(place.field == nil ? "object" : "member")),
                ]))
        }
        let spot = [place.sheet, place.cell].compactMap { $0 }.joined(separator: "!")
        for name in [spot, place.pointer ?? ""] where !name.isEmpty {
            logical.append(.object([("fullyQualifiedName", .string(name))]))
        }
        if !logical.isEmpty { location.append(("logicalLocations", .array(logical))) }
        return location
    }

    private func suppression(_ acceptance: Acceptance) -> JSONValue {
        .object([
            ("kind", .string("external")), ("status", .string("accepted")),
            ("justification", .string(acceptance.reason)),
            (
                "properties",
                .object([
                    ("actor", .string(acceptance.actor)), ("acceptedAt", .string(acceptance.acceptedAt)),
                    ("until", .string(acceptance.until)),
                ])
            ),
        ])
    }

    private static func message(_ text: String) -> JSONValue {
        // A message must not be empty.
        .object([("text", .string(text.isEmpty ? "—" : text))])
    }

    /// A path as a relative or `file:` address. Everything is percent-encoded, except slashes and
    /// unreserved characters.
    private static func address(_ path: String) -> String {
        let encoded = path.percentEncoded(keeping: "/")
        return path.hasPrefix("/") ? "file://" + encoded : encoded
    }
}

extension JSONValue {
    fileprivate static func object(_ pairs: [(String, JSONValue)]) -> JSONValue {
        .object(pairs.map { Member(key: $0.0, value: $0.1) })
    }
}
