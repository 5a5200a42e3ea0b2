package import Model
import Patterns

extension ImportMapping {
    /// The mapping with the values that a person gave. Names that it does not know are left out,
    /// since other mappings of the pack may be tried before one is chosen.
    func taking(_ given: [String: String]) -> ImportMapping {
        var mapping = self
        mapping.given = given.filter { name, _ in options.contains { $0.name == name } }
        return mapping
    }

    /// Throws `OptionFailure` unless the values are those that the mapping asks for.
    package func checkOptions(_ given: [String: String], path: String) throws(OptionFailure) {
        let known = options.map(\.name)
        if let name = given.keys.sorted().first(where: { !known.contains($0) }) { throw .unknown(path: path, name: name, known: known) }
        let missing = options.filter { $0.isRequired && given[$0.name] == nil }
        if !missing.isEmpty {
            throw .missing(path: path, mapping: name, names: missing.map(\.name), example: missing.map { "--option \($0.name)=\($0.example ?? "…")" }.joined(separator: " "))
        }
        for option in options {
            guard let value = given[option.name], !option.accepts(value) else { continue }
            throw .value(path: path, name: option.name, value: value, expected: [option.example, option.pattern].compactMap(\.self).joined(separator: " · "))
        }
    }
}

extension ImportMapping.Option {
    /// Whether a text may be the option's value: one line that its pattern matches.
    package func accepts(_ value: String) -> Bool {
        guard !value.isEmpty, value.utf8.count <= Self.mostBytes, value.utf8.allSatisfy({ $0 >= UInt8(ascii: " ") && $0 != 0x7F }) else { return false }
        // The loader has compiled the pattern before.
        return pattern.flatMap { try? Pattern($0) }.map { $0.matchesWhole(value) == .matched } ?? true
    }
}
