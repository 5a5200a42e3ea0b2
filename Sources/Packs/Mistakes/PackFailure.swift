package import Model

/// A pack with mistakes, which cannot be used. The mistakes are in the order of files and lines.
///
/// Its code is `PACK-INVALID`. Each mistake has its message; the texts of `error.PACK-INVALID` are
/// only the heading above them.
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

    /// The mistakes in the given language, as `[PackMistake].lines` groups them.
    package func lines(_ texts: Texts, _ language: Language) -> [String] { mistakes.lines(texts, language) }
}

extension [PackMistake] {
    /// One line for each mistake, and one for all texts that a file lacks. Of a code with many
    /// mistakes the first five are shown and the others counted: in a first pack, one wrong name
    /// makes hundreds.
    package func lines(_ texts: Texts, _ language: Language) -> [String] {
        let (together, most) = (withMissingTextsTogether, 5)
        var counts: [PackMistake.Code: Int] = [:]
        let shown = together.filter { mistake in
            counts[mistake.code, default: 0] += 1
            return counts[mistake.code, default: 0] <= most
        }
        return shown.map { $0.line(texts, language) }
            + counts.filter { $0.value > most }.sorted { $0.key.rawValue < $1.key.rawValue }.map { code, count in
                texts.text("mistake.more", in: language, ["count": String(count - most), "code": code.rawValue])
            }
    }

    /// The same, with the texts that a file lacks in one mistake: a new pack lacks hundreds.
    package var withMissingTextsTogether: [PackMistake] {
        func file(_ mistake: PackMistake) -> [String] { [mistake.file, mistake.arguments["language"] ?? ""] }
        let keys = Dictionary(grouping: filter { $0.code == .missingText }, by: file).mapValues { missing in
            missing.compactMap { $0.arguments["key"] }
        }
        var told: Set<[String]> = []
        return compactMap { mistake in
            guard mistake.code == .missingText, let all = keys[file(mistake)], all.count > 3 else { return mistake }
            guard told.insert(file(mistake)).inserted else { return nil }
            var mistake = mistake
            mistake.arguments["key"] = all.listed(3)
            return mistake
        }
    }
}

/// A place in a pack's file. Line and column are counted from 1; both are 0 for the whole file.
package struct PackPlace: Sendable, Hashable, Comparable {
    /// The path below `Templates/`: `ingeplus/entities/calicatas.yaml`.
    package var file: String
    package var line = 0
    package var column = 0

    package static func < (left: PackPlace, right: PackPlace) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

/// Collects the mistakes of a pack during its checks. It belongs to one load, on one thread.
final class MistakeList {
    private(set) var mistakes: [PackMistake] = []
    /// The mistakes in the list, so that none is added twice.
    private var known: Set<PackMistake> = []

    /// The maximum number of mistakes, because a hostile file must not fill the memory.
    private static let limit = 2000

    func add(_ code: PackMistake.Code, at place: PackPlace, _ arguments: [String: String] = [:]) {
        let mistake = PackMistake(code, at: place, arguments)
        guard mistakes.count < Self.limit, known.insert(mistake).inserted else { return }
        mistakes.append(mistake)
    }

    /// Adds an unknown name, with the most similar known name.
    func addUnknown(
        _ name: String, _ kind: PackWord, at place: PackPlace, known names: some Sequence<String>,
        _ more: [String: String] = [:]
    ) {
        var arguments = more.merging(["name": name, "kind": kind.rawValue]) { _, own in own }
        arguments["nearest"] = Spelling.nearest(to: name, among: names)
        arguments["known"] = Spelling.list(names)
        add(.unknownName, at: place, arguments)
    }

    var isEmpty: Bool { mistakes.isEmpty }
    /// The mistakes in the order of files and lines, so that the same pack gives the same list.
    var sorted: [PackMistake] {
        mistakes.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }.map(\.element)
    }
}

/// The missing texts of a pack, derived from its mistakes, as a file to be filled in.
package struct MissingTexts {
    private struct Gap: Hashable {
        /// The folder where the text belongs: `wells/texts`.
        var folder: String
        var key: String
        var language: String
    }

    private let gaps: [Gap]

    /// Nil if there are other mistakes, which may hide missing texts.
    package init?(_ mistakes: [PackMistake]) {
        var gaps: [Gap] = []
        for mistake in mistakes {
            guard let missing = Self.gaps(mistake) else { return nil }
            for gap in missing where !gaps.contains(gap) { gaps.append(gap) }
        }
        self.gaps = gaps
    }

    /// The gaps that one mistake reports; nil if it is about something else.
    private static func gaps(_ mistake: PackMistake) -> [Gap]? {
        func words(_ name: String) -> [String] { mistake.arguments[name]?.split(separator: " ").map(String.init) ?? [] }
        var (keys, languages): ([String], [String])
        switch mistake.code {
        case .missingText: (keys, languages) = (words("key"), words("language"))
        // A whole file is missing.
        case .missingFile: (keys, languages) = (words("keys"), words("language"))
        // A report uses a text that does not exist.
        case .unknownName: (keys, languages) = (words("name"), words("languages"))
        default: return nil
        }
        guard !keys.isEmpty, !languages.isEmpty else { return nil }
        let folder = mistake.file.split(separator: "/").dropLast().joined(separator: "/")
        return keys.flatMap { key in languages.map { Gap(folder: folder, key: key, language: $0) } }
    }

    /// A section for each folder, headed by the text's file: `key: {es: '', en: ''}`.
    package var yaml: String {
        Dictionary(grouping: gaps, by: \.folder).sorted { $0.key < $1.key }.map { folder, gaps in
            var keys: [String] = []
            for gap in gaps where !keys.contains(gap.key) { keys.append(gap.key) }
            let lines = keys.map { key in
                key + ": {" + gaps.filter { $0.key == key }.map { $0.language + ": ''" }.joined(separator: ", ") + "}\n"
            }
            return "# \(folder)/all.yaml\n" + lines.joined()
        }.joined()
    }
}
