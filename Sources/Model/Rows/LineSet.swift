/// Numbers of lines of a file, a bit for each line up to the last of them.
package struct LineSet: Sendable, Hashable {
    private var words: [UInt64] = []

    package init() {}

    package var isEmpty: Bool { words.isEmpty }

    /// - Parameter line: from one.
    package mutating func insert(_ line: Int) {
        guard line > 0 else { return }
        while words.count <= line >> 6 { words.append(0) }
        words[line >> 6] |= 1 << UInt64(line & 63)
    }

    package func contains(_ line: Int) -> Bool { line > 0 && line >> 6 < words.count && words[line >> 6] >> UInt64(line & 63) & 1 == 1 }
}
