/// The marked contents of a page's stream (ISO 32000-1, 14.6). cairo marks what it was told as
/// spans; here they get the names of their elements, and everything else becomes an artifact. It
/// also marks letters whose text is not theirs, with an end of their own.
struct PageMarks {
    let elements: [StructureElement]

    private static let begin = Array("/Span << /MCID ".utf8)
    private static let letters = Array("/Span << /ActualText ".utf8)
    private static let end = Array("EMC\n".utf8)
    private static let artifact = Array("/Artifact BMC\n".utf8)

    func rewrite(_ content: [UInt8]) throws(ArchiveFailure) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(content.count + elements.count * 24 + 64)
        var start = 0, found = 0, isWithinLetters = false
        // cairo writes each of these operators at the beginning of a line.
        var line = 0
        while line < content.count {
            let next = Self.nextLine(content, line)
            if content[line] == UInt8(ascii: "/"), Self.starts(content, line, Self.begin) {
                append(content[start..<line], to: &result)
                guard found < elements.count else { throw .marks(found: found + 1, expected: elements.count) }
                result += Array("/\(elements[found].kind.name) <</MCID \(found)>> BDC\n".utf8)
                found += 1
                start = next
            } else if content[line] == UInt8(ascii: "/"), Self.starts(content, line, Self.letters) {
                isWithinLetters = true
            } else if content[line] == UInt8(ascii: "E"), isWithinLetters, Self.starts(content, line, Self.end) {
                isWithinLetters = false
            } else if content[line] == UInt8(ascii: "E"), Self.starts(content, line, Self.end) {
                result += content[start..<next]
                start = next
            }
            line = next
        }
        append(content[start...], to: &result)
        guard found == elements.count else { throw .marks(found: found, expected: elements.count) }
        return result
    }

    /// Appends what no element has.
    private func append(_ content: ArraySlice<UInt8>, to result: inout [UInt8]) {
        guard content.contains(where: { $0 > 32 }) else { return result += content }
        result += Self.artifact
        result += content
        result += Self.end
    }

    private static func nextLine(_ content: [UInt8], _ place: Int) -> Int {
        var place = place
        while place < content.count, content[place] != 10 { place += 1 }
        return min(place + 1, content.count)
    }

    private static func starts(_ content: [UInt8], _ place: Int, _ text: [UInt8]) -> Bool {
        guard place + text.count <= content.count else { return false }
        for index in text.indices where content[place + index] != text[index] { return false }
        return true
    }
}
