package import Model
import Patterns

/// Reason why the options of an import (`--option NAME=VALUE`) do not match those that its mapping
/// declares. Nothing is imported.
package typealias OptionFailure = DeclaredFailure<ImportMapping.Option>

extension OptionFailure {
    /// Not `NAME=VALUE`, or a name that was given twice.
    package static func malformed(_ text: String) -> Self { Self("OPTION-INVALID", .usage, ["value": text]) }
    package static func unknown(path: String, name: String, known: [String]) -> Self {
        Self(
            "OPTION-UNKNOWN", .usage, file: path,
            [
                "name": name, "nearest": Spelling.nearest(to: name, among: known) ?? "",
                "known": known.isEmpty ? "—" : known.joined(separator: ", "),
            ])
    }
    /// `example` shows how to give them.
    package static func missing(path: String, mapping: String, names: [String], example: String) -> Self {
        Self("OPTION-MISSING", .usage, file: path, ["mapping": mapping, "names": names, "example": example])
    }
    /// The value is empty, longer than an option may be, or does not match the option's pattern.
    package static func value(path: String, name: String, value: String, expected: String) -> Self {
        Self("OPTION-VALUE", .usage, file: path, ["name": name, "value": value, "expected": expected])
    }
}

extension ImportMapping {
    /// The mapping with the option values that a person gave. Options that the mapping does not
    /// declare are left out, because several mappings of the pack may be tried before one is
    /// chosen.
    func taking(_ given: [String: String]) -> ImportMapping {
        var mapping = self
        mapping.given = given.filter { name, _ in options.contains { $0.name == name } }
        return mapping
    }

    /// Throws `OptionFailure` unless the values fit the mapping's options.
    package func checkOptions(_ given: [String: String], path: String) throws(OptionFailure) {
        let known = options.map(\.name)
        if let name = given.keys.sorted().first(where: { !known.contains($0) }) {
            throw .unknown(path: path, name: name, known: known)
        }
        let missing = options.filter { $0.isRequired && given[$0.name] == nil }
        if !missing.isEmpty {
            throw .missing(
                path: path, mapping: name, names: missing.map(\.name),
                example: missing.map { "--option \($0.name)=\($0.example ?? "…")" }.joined(separator: " "))
        }
        for option in options {
            guard let value = given[option.name], !option.accepts(value) else { continue }
            throw .value(
                path: path, name: option.name, value: value,
                expected: [option.example, option.pattern].compactMap(\.self).joined(separator: " · "))
        }
    }
}

extension ImportMapping.Option {
    /// Whether a text may be the option's value: a single line that matches the option's pattern.
    package func accepts(_ value: String) -> Bool {
        guard !value.isEmpty, value.utf8.count <= Self.mostBytes,
            value.utf8.allSatisfy({ $0 >= UInt8(ascii: " ") && $0 != 0x7F })
        else { return false }
        // The loader has compiled the pattern before.
        return pattern.flatMap { try? Pattern($0) }.map { $0.matchesWhole(value) == .matched } ?? true
    }
}
