import Model

/// How high a level lies, as far as its name tells by the words of the pack: `S1` is −1, `PT` 0, `P2` 2, `Piano primo` 1, `Floor 3` 3.
struct LevelName {
    let words: PlanDefinition.Heights

    /// Nil where the name does not tell.
    func height(_ name: String) -> Int? {
        let parts = name.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
        guard let last = parts.last else { return nil }
        if words.ground.contains(last) { return 0 }
        if let number = Int(last) { return parts.contains(where: isBelow) ? -abs(number) : number }
        if let first = last.first, let way = words.letters.first(where: { $0.word == String(first) })?.height, let number = Int(last.dropFirst()),
            number >= 0 {
            return way * number
        }
        return words.words.first { entry in parts.contains(entry.word) }?.height
    }

    private func isBelow(_ part: String) -> Bool {
        words.below.contains { $0.hasSuffix("*") ? part.hasPrefix($0.dropLast()) : part == $0 }
    }
}
