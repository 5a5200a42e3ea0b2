extension Language {
    /// A day as people write it: `31/01/2026`, in English `2026-01-31`. Nil for a text that does not
    /// begin with a day.
    ///
    /// - Parameter stored: a day (`2026-01-31`), or an instant that begins with one.
    package func day(_ stored: String) -> String? {
        let parts = stored.prefix(10).split(separator: "-")
        guard parts.count == 3, parts[0].count == 4, parts.allSatisfy({ $0.allSatisfy(\.isNumber) }) else { return nil }
        return self == .english ? parts.joined(separator: "-") : "\(parts[2])/\(parts[1])/\(parts[0])"
    }
}
