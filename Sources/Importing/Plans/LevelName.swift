/// How high a level lies, as far as its name tells: `S1` is −1, `PT` 0, `P2` 2, `Piano primo` 1, `Floor 3` 3.
enum LevelName {
    private static let words: [(word: String, height: Int)] = [
        ("interrato", -1), ("basement", -1), ("sótano", -1), ("sotano", -1), ("terra", 0), ("ground", 0), ("baja", 0), ("primo", 1), ("first", 1),
        ("secondo", 2), ("second", 2), ("terzo", 3), ("third", 3), ("quarto", 4), ("quinto", 5),
    ]

    /// Nil where the name does not tell.
    static func height(_ name: String) -> Int? {
        let parts = name.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "-") }
        guard let last = parts.last else { return nil }
        if ["pt", "t", "p0"].contains(last) { return 0 }
        let isBelow = parts.contains { $0.hasPrefix("sem") || $0.hasPrefix("inter") || $0 == "basement" || $0 == "s" }
        if let number = Int(last) { return isBelow ? -abs(number) : number }
        if let first = last.first, "sp".contains(first), let number = Int(last.dropFirst()), number >= 0 { return first == "s" ? -number : number }
        return words.first { entry in parts.contains { $0 == entry.word } }?.height
    }
}
