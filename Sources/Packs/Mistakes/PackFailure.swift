package import Model

/// A pack with mistakes, which cannot be used. The mistakes are in the order of files and lines.
///
/// Its code is `PACK-INVALID`. The mistakes have their own messages; the texts of
/// `error.PACK-INVALID` are only the heading above them.
package struct PackFailure: Failure, Hashable {
    package var pack: String
    package var mistakes: [PackMistake]

    package init(pack: String, mistakes: [PackMistake]) {
        self.pack = pack
        self.mistakes = mistakes
    }

    package var code: String { "PACK-INVALID" }
    package var exitCode: ExitCode { .badConfiguration }
    package var arguments: [String: String] { ["pack": pack, "count": String(mistakes.count)] }
    package var place: Place? {
        mistakes.first.map {
            Place(file: $0.file, line: $0.line > 0 ? $0.line : nil, column: $0.column > 0 ? $0.column : nil)
        }
    }

    /// One line for each mistake, in a person's language.
    package func lines(in language: Language) -> [String] {
        mistakes.map { $0.line(in: language) }
    }
}
