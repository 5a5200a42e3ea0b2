package import Foundation

/// The texts of findings in one language: `finding.CODE…` for the program's codes, `rule.CODE…` for
/// a pack's rules.
package struct FindingText: Sendable {
    private let texts: Texts
    package let language: Language

    /// Whether the findings are about a person's command. Their remedy then mentions no file to
    /// correct.
    private let isCommand: Bool

    /// The vocabularies of the values quoted in messages of rules, by code and argument.
    private let vocabularies: [String: [String: [Vocabulary]]]
    /// The office's time zone, by whose clock messages show instants; nil: as they are stored.
    private let zone: TimeZone?

    /// - Parameter pack: nil if there are no rules.
    package init(
        _ texts: Texts, of pack: Pack? = nil, in language: Language, isCommand: Bool = false, zone: TimeZone? = nil
    ) {
        (self.isCommand, self.zone) = (isCommand, zone)
        self.texts = texts
        self.language = language
        vocabularies =
            pack.map { pack in
                Dictionary(pack.rules.map { ($0.code, pack.vocabularies(quotedBy: $0)) }) { first, _ in first }
            } ?? [:]
    }

    /// The subject of a code, in a few words.
    package func title(of code: String) -> String {
        text(code, "") ?? code
    }

    /// The message with the place and the values; the code if the text is missing, which the
    /// loader prevents.
    package func message(of finding: Finding) -> String {
        text(finding.code, ".message").map { fill($0, of: finding) } ?? finding.code
    }

    /// The remedy; empty if the text is missing.
    package func remedy(of finding: Finding) -> String {
        let own = isCommand ? texts.textIfAny("cli.remedy." + finding.code, in: language) : nil
        return (own ?? text(finding.code, ".remedy")).map { fill($0, of: finding) } ?? ""
    }

    /// Fills a template; a part in brackets is left out if one of its values is missing.
    private func fill(_ template: String, of finding: Finding) -> String {
        let arguments = arguments(of: finding)
        return template.utf8.contains(UInt8(ascii: "["))
            ? TextPattern(template).fill(arguments) : Texts.fill(template, with: arguments)
    }

    /// The place as readable text: `Calicata TPA-2025 / C-014 · Profundidad`, or file, sheet, cell
    /// and line.
    package func place(of finding: Finding) -> String {
        let place = finding.place
        var parts: [String] = []
        if let table = place.table {
            parts.append([name(ofTable: table), place.key ?? place.id].compactMap { $0 }.joined(separator: " "))
        }
        if let table = place.table, let field = place.field { parts.append(label(ofField: field, table)) }
        parts += [place.file, place.sheet, place.cell].compactMap { $0 }
        if let line = place.line { parts.append(place.column.map { "\(line):\($0)" } ?? "\(line)") }
        if let pointer = place.pointer, !pointer.isEmpty { parts.append(pointer) }
        return parts.joined(separator: " · ")
    }

    package func severity(_ severity: Severity) -> String {
        texts.textIfAny("word.severity." + severity.rawValue, in: language) ?? severity.rawValue
    }

    /// A text of the program, such as a column's title.
    package func word(_ key: String, _ arguments: [String: String] = [:]) -> String {
        texts.text(key, in: language, arguments)
    }

    /// The texts of a code with unfilled placeholders.
    package func message(of code: String) -> String { text(code, ".message") ?? code }
    package func remedy(of code: String) -> String { text(code, ".remedy") ?? "" }

    /// The label of the field that a finding is about, as people read it.
    package func field(of finding: Finding) -> String? {
        finding.place.field.map { field in finding.place.table.map { label(ofField: field, $0) } ?? field }
    }

    /// The name of the table that a finding is about, in the singular.
    package func table(of finding: Finding) -> String? { finding.place.table.map(name(ofTable:)) }

    /// The value of the finding, or the values in its message. Private values are already redacted.
    package func value(of finding: Finding) -> String {
        if let value = finding.arguments["value"] { return value }
        return finding.arguments.sorted { $0.key < $1.key }.map { name, value in
            "\(finding.place.table.map { label(ofField: name, $0) } ?? name): \(value)"
        }.joined(separator: "; ")
    }

    /// The person, reason and last day of the acceptance; nil without one.
    package func acceptance(of finding: Finding) -> String? {
        finding.acceptance.map {
            word("report.accepted_by", ["actor": $0.actor, "until": $0.until, "reason": $0.reason])
        }
    }

    private func text(_ code: String, _ part: String) -> String? {
        texts.textIfAny("finding." + code + part, in: language) ?? texts.textIfAny("rule." + code + part, in: language)
    }

    /// The arguments of a finding, with machine words replaced by readable words, besides
    /// `{table}`, `{key}` and `{field}`.
    private func arguments(of finding: Finding) -> [String: String] {
        let place = finding.place
        var arguments = finding.arguments
        if let type = arguments["type"] {
            arguments["type"] = texts.textIfAny("word.type." + type, in: language) ?? type
        }
        if let own = vocabularies[finding.code] {
            for (name, value) in arguments { arguments[name] = said(value, own[name] ?? []) }
        }
        if let rule = arguments["demand"] { arguments["demand"] = title(of: rule) }
        if let target = arguments["target"] { arguments["target"] = name(ofTable: target) }
        if let fields = arguments["fields"], let table = place.table {
            arguments["fields"] = fields.split(separator: ", ").map { label(ofField: String($0), table) }.joined(
                separator: ", ")
        }
        arguments["table"] = place.table.map(name(ofTable:)) ?? place.file ?? ""
        arguments["key"] = place.key ?? place.id ?? ""
        arguments["field"] = place.field.map { field in place.table.map { label(ofField: field, $0) } ?? field } ?? ""
        return arguments
    }

    /// A quoted value as readable text: a word of a vocabulary by its label, a day in the
    /// language's format, an instant by the office's clock. A calculated number is rounded to six
    /// decimals, because the others only seem exact.
    private func said(_ value: String, _ vocabularies: [Vocabulary]) -> String {
        if let vocabulary = vocabularies.first(where: { $0.values.contains(value) }) {
            return vocabulary.word(for: value, texts, in: language)
        }
        if Timestamp.isDate(value) { return language.day(value) ?? value }
        if let zone, value.hasSuffix("Z"), value.utf8.count >= 20, let instant = Timestamp.parse(value) {
            let shown = OfficeDay.time(of: instant, in: zone)
            return (language.day(shown) ?? String(shown.prefix(10))) + shown.dropFirst(10)
        }
        let decimals = value.split(separator: ".", omittingEmptySubsequences: false)
        guard decimals.count == 2, decimals[1].utf8.count > 8, let number = Double(value), abs(number) < 1e9 else {
            return value
        }
        return "\((number * 1e6).rounded() / 1e6)"
    }

    /// The name of a table in the singular.
    package func name(ofTable table: String) -> String {
        texts.textIfAny("entity." + table + ".one", in: language) ?? texts.textIfAny("entity." + table, in: language)
            ?? table
    }

    private func label(ofField field: String, _ table: String) -> String {
        texts.textIfAny("field." + table + "." + field, in: language) ?? field
    }
}

extension Pack {
    /// The vocabularies of the fields that a rule quotes, by the names of its arguments. A column
    /// of a query is treated as the field of the same name, its own table's first.
    fileprivate func vocabularies(quotedBy rule: Rule) -> [String: [Vocabulary]] {
        guard let entity = entity(rule.entity) else { return [:] }
        return rule.arguments.reduce(into: [:]) { found, name in
            let own = field(at: FieldPath(name), from: entity)
            var fields = [own].compactMap(\.self)
            if case .query = rule.check { fields += entities.compactMap { $0.field(name) } }
            let names = fields.compactMap(\.vocabulary).reduce(into: [String]()) {
                if !$0.contains($1) { $0.append($1) }
            }
            found[name] = names.compactMap { vocabulary($0) }
        }
    }
}

/// The head of every findings document, in each format.
package struct FindingDocumentHead: Sendable, Hashable {
    package struct Project: Sendable, Hashable {
        package var code: String
        package var name: String

        package init(code: String, name: String) {
            self.code = code
            self.name = name
        }
    }

    package var packName: String
    package var packVersion: String
    /// The system's displayed name.
    package var system: String
    package var environment: String
    /// Shown prominently; nil in production.
    package var environmentBanner: String?
    package var programVersion: String
    package var actor: String
    package var asOf: Date
    /// `asOf` on the office's wall clock, with the zone.
    package var madeAt: String
    package var projects: [Project]
    /// The number of checked rows.
    package var rows: Int

    package init(
        packName: String, packVersion: String, system: String, environment: String, environmentBanner: String?,
        programVersion: String,
        actor: String, asOf: Date, madeAt: String, projects: [Project], rows: Int
    ) {
        self.packName = packName
        self.packVersion = packVersion
        self.system = system
        self.environment = environment
        self.environmentBanner = environmentBanner
        self.programVersion = programVersion
        self.actor = actor
        self.asOf = asOf
        self.madeAt = madeAt
        self.projects = projects
        self.rows = rows
    }

    /// Label and value of each line, in order.
    package func lines(_ text: FindingText) -> [(label: String, value: String)] {
        let names = projects.map { $0.code == $0.name ? $0.code : "\($0.code) · \($0.name)" }
        return [
            (text.word("cover.system"), system), (text.word("cover.environment"), environment),
            (text.word("cover.project"), names.joined(separator: "; ")), (text.word("cover.actor"), actor),
            (text.word("cover.made_at"), madeAt), (text.word("cover.pack_version"), "\(packName) \(packVersion)"),
            (text.word("cover.program_version"), programVersion), (text.word("report.rows"), String(rows)),
        ]
    }
}
