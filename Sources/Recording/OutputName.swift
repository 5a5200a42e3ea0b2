import Digests
import Model

/// The paths of a run's files: a pattern such as
/// `{year}-{month}/{project}/{export}-{date}-v{version}.{format}`, filled in to give a relative
/// path that stays inside the output directory whatever the data contains.
package struct OutputName: Sendable, Hashable {
    /// The values of the placeholders for one file.
    package struct Values: Sendable, Hashable {
        package var export: String
        /// The project's code and name.
        package var project: String
        package var name: String
        /// `yyyy-MM-dd`, in the office's time zone.
        package var date: String
        package var version: Int
        package var format: String
        /// Name of the delivery line, to distinguish its files from those of another; empty if not
        /// needed. Without `{line}` in the pattern, the name is appended to the export's.
        package var line: String
        /// The period, such as `2026-11`; nil to use the month of the date.
        package var period: String?

        package init(
            export: String, project: String, name: String, date: String, version: Int, format: String,
            line: String = "", period: String? = nil
        ) {
            self.period = period
            self.export = export
            self.line = line
            self.project = project
            self.name = name
            self.date = date
            self.version = version
            self.format = format
        }
    }

    private enum Part: Hashable, Sendable {
        case literal(String)
        case placeholder(String)
    }

    package static let standard = "{project}/{export}-{date}-v{version}.{format}"
    package static let placeholders = [
        "export", "line", "project", "name", "date", "year", "month", "period", "version", "format",
    ]

    /// Maximum bytes of a path component. A file name may have at most 255 bytes; the rest is for
    /// suffixes (`-cortes.csv`, temporary names).
    private static let longestName = 180
    private static let longestValue = 80

    private let parts: [Part]

    /// - Throws: `.patternPlaceholder` for an unknown placeholder, `.patternPath` for a path that
    ///   is absolute, contains `..` or is hidden.
    package init(pattern: String) throws(RecordingFailure) {
        var parts: [Part] = []
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { parts.append(.literal(String(rest[..<open]))) }
            guard let close = rest[open...].firstIndex(of: "}") else { throw .patternPath(pattern: pattern) }
            let name = String(rest[rest.index(after: open)..<close])
            guard Self.placeholders.contains(name) else {
                throw .patternPlaceholder(pattern: pattern, name: name, known: Self.placeholders)
            }
            parts.append(.placeholder(name))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
        let isSafe = pattern.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { component in
            !component.isEmpty && component.first != "."
        }
        guard isSafe, !pattern.contains("}}"),
            !pattern.unicodeScalars.contains(where: { $0.value < 0x20 || $0 == "\\" })
        else {
            throw .patternPath(pattern: pattern)
        }
        self.parts = parts
    }

    /// The relative path for one file, with `/` between its components.
    package func path(_ values: Values) throws(RecordingFailure) -> String {
        var path = ""
        for part in parts {
            switch part {
            case .literal(let text): path += text
            case .placeholder("line") where values.line.isEmpty: path += "-"
            case .placeholder(let name): path += Self.safeComponent(value(of: name, values))
            }
        }
        for component in path.split(separator: "/") where component.utf8.count > Self.longestName {
            throw .nameTooLong(name: String(component), limit: Self.longestName)
        }
        return path
    }

    /// The relative path without the ending `.FORMAT`, for writers that add their own endings.
    package func stem(_ values: Values) throws(RecordingFailure) -> String {
        let path = try path(values)
        let ending = "." + values.format
        return path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : path
    }

    private func value(of placeholder: String, _ values: Values) -> String {
        switch placeholder {
        case "export":
            values.line.isEmpty || parts.contains(.placeholder("line"))
                ? values.export : values.export + "-" + values.line
        case "line": values.line
        case "project": values.project
        case "name": values.name
        case "date": values.date
        case "year": String(values.date.prefix(4))
        case "month": String(values.date.dropFirst(5).prefix(2))
        case "period": values.period ?? String(values.date.prefix(7))
        case "version": String(values.version)
        default: values.format
        }
    }

    /// A value as one path component: no separators, no characters that Windows refuses, no leading
    /// or trailing dot, limited in length. If the value had to be changed, digits of its SHA-256
    /// are appended, so that two projects never share a name.
    package static func safeComponent(_ value: String) -> String {
        var safe = ""
        for character in value {
            let isRefused = character.unicodeScalars.contains { scalar in
                scalar.value < 0x20 || scalar.value == 0x7F || "/\\:*?\"<>|{}".unicodeScalars.contains(scalar)
                    || scalar.properties.generalCategory == .format
                    || scalar.properties.generalCategory == .lineSeparator
            }
            let next: Character = isRefused ? "-" : character
            guard safe.utf8.count + String(next).utf8.count <= longestValue else { break }
            safe.append(next)
        }
        while let first = safe.first, first == "." || first == " " { safe.removeFirst() }
        while let last = safe.last, last == "." || last == " " { safe.removeLast() }
        guard safe != value || safe.isEmpty else { return safe }
        let digits = SHA256.digest(of: value).hexadecimal.prefix(8)
        return (safe.isEmpty ? "" : safe + "-") + digits
    }
}

/// The path of an exported file in the organisation's cloud storage:
/// `exports/orgs/{org_id}/projects/{project_id}/{export_id}/{file}`.
///
/// The export's id in the path prevents one file from overwriting another of the same name.
package struct StoragePath: Sendable, Hashable {
    /// The folder of a project. The ids come from data, and are made safe so that the path cannot
    /// leave this folder.
    package let folder: String

    /// The pattern of all projects' folders, with placeholders in braces.
    package static let pattern = "exports/orgs/{organisation}/projects/{project}"

    /// - Parameter organisation: nil if the project belongs to no organisation.
    package init(organisation: String?, project: String) {
        folder =
            """
            exports/orgs/\(organisation.map(OutputName.safeComponent) ?? "-")/projects/\
            \(OutputName.safeComponent(project))
            """
    }

    /// Whether a path from data is within a project's storage. The path must match the pattern up
    /// to the project's id, or the first component if the pattern has no `{project}`. The rest may
    /// follow an older pattern. The organisation's id is not compared, because it is not a secret.
    package static func isPlace(_ path: String, like pattern: String, of project: String?) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false), wanted = pattern.split(separator: "/")
        let last = wanted.firstIndex(of: "{project}") ?? 0
        guard parts.count > last + 1, !parts.contains(where: { ["", ".", ".."].contains($0) }) else { return false }
        return (0...last).allSatisfy { index in
            if wanted[index] == "{project}" { return parts[index] == OutputName.safeComponent(project ?? "-") }
            return wanted[index].hasPrefix("{") || parts[index] == wanted[index]
        }
    }

    /// The storage path of a row that has only one file.
    ///
    /// - Parameters:
    ///   - place: a path with names of values in braces.
    ///   - values: texts from data, made safe as well.
    package static func file(at place: String, _ values: [String: String]) -> String {
        Texts.fill(place, with: values.mapValues(OutputName.safeComponent))
    }

    /// The storage path of one of a row's files.
    ///
    /// - Parameters:
    ///   - folder: a path with names of values in braces.
    ///   - values: texts from data, made safe as well.
    ///   - id: the row's id.
    package static func file(in folder: String, _ values: [String: String], id: String, name: String) -> String {
        let safe = values.mapValues(OutputName.safeComponent)
        return "\(Texts.fill(folder, with: safe))/\(OutputName.safeComponent(id))/\(OutputName.safeComponent(name))"
    }
}
