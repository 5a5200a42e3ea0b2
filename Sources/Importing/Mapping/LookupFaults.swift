import Model

/// Collects faults of lookups in one table: one finding of each kind, with the number and the first
/// examples.
struct LookupFaults {
    enum Kind: String, CaseIterable {
        /// A key with two values; a key that no row has; a key that cannot be read; a text among
        /// numbers.
        case twice = "IMPORT-LOOKUP-TWICE", nowhere = "IMPORT-LOOKUP-NOWHERE", key = "IMPORT-LOOKUP-KEY", number = "IMPORT-LOOKUP-NUMBER"
    }

    private var counts: [Kind: Int] = [:]
    private var lines: [Kind: Int] = [:]
    private var texts: [Kind: [String]] = [:]
    /// Hashes of the keys already reported: only their number matters.
    private var noted: [Kind: Set<Int>] = [:]
    private static let mostShown = 5

    /// - Parameter key: counted once, however often it occurs; nil: every occurrence counts.
    mutating func note(_ kind: Kind, _ text: @autoclosure () -> String, key: String? = nil, line: Int) {
        if let key, !noted[kind, default: []].insert(key.hashValue).inserted { return }
        counts[kind, default: 0] += 1
        if lines[kind] == nil { lines[kind] = line }
        if texts[kind, default: []].count < Self.mostShown { texts[kind, default: []].append(String(text().prefix(120))) }
    }

    func findings(of table: String, file: String, isHidden: Bool) -> [Finding] {
        Kind.allCases.compactMap { kind in
            guard let count = counts[kind], let texts = texts[kind], let line = lines[kind] else { return nil }
            let all = texts.joined(separator: "; ") + (count > texts.count && kind != .number && kind != .key ? "; …" : "")
            var arguments = ["name": table, "count": String(count)]
            switch kind {
            case .twice: arguments["values"] = isHidden ? Pack.hiddenValue : all
            case .nowhere: arguments["keys"] = all
            case .key, .number: (arguments["value"], arguments["line"]) = (isHidden && kind == .number ? Pack.hiddenValue : texts[0], String(line))
            }
            return Finding(
                kind.rawValue,
                place: Place(file: file, sheet: table, line: line == 0 ? nil : line), arguments: arguments)
        }
    }
}
