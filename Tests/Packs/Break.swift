import Model
import Testing

@testable import Packs

/// A change that breaks the sample pack, and the place where the mistake must be reported: the
/// first line of the file that has `at`. If `at` is `*file needle`, the mistake is reported in that
/// other file.
struct Break: Sendable, CustomTestStringConvertible {
    var code: PackMistake.Code
    var file: String
    var old: String
    var new: String
    var at: String
    /// The expected number of mistakes of this code.
    var count = 1

    init(_ code: PackMistake.Code, _ file: String, _ old: String, _ new: String, at: String? = nil, count: Int = 1) {
        self.code = code
        self.file = "pits/" + file
        self.old = old
        self.new = new
        self.at = at ?? new
        self.count = count
    }

    var testDescription: String { "\(code.rawValue): \(new)" }

    /// The first mistake of this code in the broken pack. Expects the right number of such mistakes
    /// and the right place.
    func found(in whole: SamplePack, location: SourceLocation = #_sourceLocation) throws -> PackMistake {
        let sample = whole.replacing(old, with: new, in: file)
        let mistakes = try sample.mistakes()
        let found = mistakes.filter { $0.code == code }
        #expect(
            found.count == count, "\(PackFailure(pack: "pits", mistakes: mistakes).lines(Texts.shipped, .english))",
            sourceLocation: location)
        let mistake = try #require(found.first, sourceLocation: location)
        var (file, needle) = (file, at)
        if needle.hasPrefix("*"), let space = needle.firstIndex(of: " ") {
            file = "pits/" + needle[needle.index(after: needle.startIndex)..<space]
            needle = String(needle[needle.index(after: space)...])
        }
        #expect(mistake.file == file, sourceLocation: location)
        let lines = (sample.files[file] ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        let line = needle.isEmpty ? 0 : (lines.firstIndex { $0.contains(needle) } ?? -2) + 1
        #expect(mistake.line == line, "\(mistake.line(Texts.shipped, .english))", sourceLocation: location)
        return mistake
    }
}
