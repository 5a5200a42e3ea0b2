internal import Foundation
internal import Yams

/// Reads a YAML file into `YAMLNode`, within limits: no anchors, aliases or tags, and a limited
/// size, depth and number of nodes.
///
/// Yams stops at the first duplicate key. The reader records it, renames it and retries, so that it
/// finds all duplicates.
struct YAMLReader {
    static let maximumBytes = 1 << 20
    static let maximumDepth = 20
    private static let maximumNodes = 100_000
    private static let maximumDuplicates = 50
    /// Characters that mark reported duplicates. They are in the private use area, and forbidden in
    /// packs.
    private static let masks: ClosedRange<Unicode.Scalar> = "\u{F800}"..."\u{F8FF}"
    /// The tags of lists, mappings and scalars without a tag in the file; any other tag was written
    /// with `!`.
    private static let tags: Set<String> = [
        "", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map",
    ]

    private let file: String
    private let mistakes: MistakeList
    private var nodes = 0

    private init(file: String, mistakes: MistakeList) {
        self.file = file
        self.mistakes = mistakes
    }

    /// Reads the root of a file; nil when it cannot be read, with the reason added to the mistakes.
    static func read(_ bytes: [UInt8], file: String, mistakes: MistakeList) -> YAMLNode? {
        var reader = YAMLReader(file: file, mistakes: mistakes)
        return reader.read(bytes)
    }

    private mutating func read(_ bytes: [UInt8]) -> YAMLNode? {
        guard bytes.count <= Self.maximumBytes else {
            mistakes.add(.tooBig, at: place(nil), ["limit": "\(Self.maximumBytes >> 10) KiB"])
            return nil
        }
        guard let source = String(validating: bytes, as: UTF8.self), !source.hasPrefix("\u{FEFF}"),
            !source.unicodeScalars.contains(where: Self.masks.contains)
        else {
            mistakes.add(.notUTF8, at: place(nil))
            return nil
        }
        guard hasNoAnchors(source), let root = compose(source) else { return nil }
        return convert(root, depth: 0)
    }

    /// Whether the file has no anchors. Aliases make a huge tree of a small file, and Yams follows
    /// them while it compares keys. So if there may be an anchor (`&name`), the file is first
    /// read with tags instead of anchors. Every alias is then unknown, and reading fails before it
    /// follows one. Text that only looks like an anchor does no harm.
    private func hasNoAnchors(_ source: String) -> Bool {
        guard let harmless = Self.replacingAnchors(in: source) else { return true }
        let found = MistakeList()
        var trial = YAMLReader(file: file, mistakes: found)
        let root = trial.compose(harmless)
        if let root { _ = trial.convert(root, depth: 0) }
        let relevant = found.mistakes.filter { root == nil || $0.code == .anchor }
        for mistake in relevant { mistakes.add(mistake.code, at: mistake.place, mistake.arguments) }
        return relevant.isEmpty
    }

    /// The source with `!name` for each `&name`; nil when it contains no anchor.
    private static func replacingAnchors(in source: String) -> String? {
        var bytes = Array(source.utf8)
        var found = false
        for index in bytes.indices.dropLast() where bytes[index] == UInt8(ascii: "&") {
            let next = bytes[index + 1]
            guard
                (0x30...0x39).contains(next) || (0x41...0x5A).contains(next) || (0x61...0x7A).contains(next)
                    || "_-".utf8.contains(next)
            else { continue }
            bytes[index] = UInt8(ascii: "!")
            found = true
        }
        return found ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private func compose(_ original: String) -> Node? {
        var source = original
        for turn in 0..<Self.maximumDuplicates {
            do {
                guard let node = try Yams.compose(yaml: source, .basic, .default, .utf8) else {
                    mistakes.add(.yaml, at: place(nil), ["problem": "the file is empty"])
                    return nil
                }
                return node
            } catch YamlError.duplicatedKeysInMapping(let names, let context) {
                guard let name = names.first else { return nil }
                let first = (line: context.mark.line, column: context.mark.column)
                let second = DuplicateKey.second(of: name, after: first, in: source)
                let line = second?.line ?? first.line
                let column = second?.column ?? first.column
                let shown = name.unicodeScalars.contains(where: Self.masks.contains) ? String(name.dropLast()) : name
                mistakes.add(
                    .duplicateKey, at: PackPlace(file: file, line: line, column: column),
                    ["key": shown, "line": String(first.line)])
                guard let second, let mask = Unicode.Scalar(Self.masks.lowerBound.value + UInt32(turn)) else {
                    return nil
                }
                source = DuplicateKey.masking(name, at: second, with: mask, in: source)
            } catch {
                add(error)
                return nil
            }
        }
        return nil
    }

    private func add(_ error: any Error) {
        switch error {
        case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _):
            if problem.contains("nesting level") {
                mistakes.add(.tooBig, at: place(mark), ["limit": problem])
            } else if problem.contains("undefined alias") {
                mistakes.add(.anchor, at: place(mark))
            } else {
                mistakes.add(.yaml, at: place(mark), ["problem": problem])
            }
        case YamlError.reader(let problem, let offset, _, let yaml):
            let before = yaml.prefix(offset ?? 0)
            let line = before.count { $0.isNewline } + 1
            mistakes.add(.yaml, at: PackPlace(file: file, line: line, column: 1), ["problem": problem])
        default:
            mistakes.add(.yaml, at: place(nil), ["problem": "\(error)"])
        }
    }

    private func place(_ mark: Mark?) -> PackPlace {
        PackPlace(file: file, line: mark?.line ?? 0, column: mark?.column ?? 0)
    }

    /// Converts a node; nil if it contains something forbidden, which is reported.
    private mutating func convert(_ node: Node, depth: Int) -> YAMLNode? {
        nodes += 1
        let here = place(node.mark)
        guard depth <= Self.maximumDepth, nodes <= Self.maximumNodes else {
            mistakes.add(
                .tooBig, at: here,
                ["limit": depth > Self.maximumDepth ? "\(Self.maximumDepth) levels" : "\(Self.maximumNodes) nodes"])
            return nil
        }
        guard Self.tags.contains(node.tag.rawValue) else {
            mistakes.add(.anchor, at: here)
            return nil
        }
        switch node {
        case .scalar(let scalar):
            return YAMLNode(content: .scalar(scalar.string, isPlain: scalar.style == .plain), place: here)
        case .sequence(let sequence):
            var items: [YAMLNode] = []
            for item in sequence {
                if let item = convert(item, depth: depth + 1) { items.append(item) }
            }
            return YAMLNode(content: .sequence(items), place: here)
        case .mapping(let mapping):
            var pairs: [YAMLNode.Pair] = []
            for (key, value) in mapping {
                guard let name = key.scalar?.string else {
                    mistakes.add(.wrongType, at: place(key.mark), ["key": "?", "expected": "text", "found": "mapping"])
                    continue
                }
                guard !name.unicodeScalars.contains(where: Self.masks.contains) else { continue }
                if let value = convert(value, depth: depth + 1) {
                    pairs.append(.init(key: name, keyPlace: place(key.mark), value: value))
                }
            }
            return YAMLNode(content: .mapping(pairs), place: here)
        case .alias:
            mistakes.add(.anchor, at: here)
            return nil
        }
    }
}

/// Finds the second of two equal keys, since Yams reports only the first. Lines and columns are
/// counted from 1, columns in Unicode scalars.
enum DuplicateKey {
    typealias Spot = (line: Int, column: Int)

    /// Finds the second key. In a block it is in the column of the first; between braces it is the
    /// next one.
    static func second(of name: String, after first: Spot, in source: String) -> Spot? {
        let lines = lines(of: source)
        guard lines.indices.contains(first.line - 1), lines[first.line - 1].count >= first.column - 1 else {
            return nil
        }
        let wanted = Array(name.unicodeScalars)
        let before = lines[first.line - 1].prefix(first.column - 1)
        let isFlow = before.contains { $0 == "{" || $0 == "," }
        for (index, line) in lines.enumerated().dropFirst(first.line - 1) {
            for start in line.indices where index > first.line - 1 || start > first.column {
                guard isKey(wanted, at: start, of: line) else { continue }
                let column = start > 0 && "\"'".unicodeScalars.contains(line[start - 1]) ? start : start + 1
                if isFlow || column == first.column { return (index + 1, column) }
            }
        }
        return nil
    }

    /// The source with another last character in the key at a place. The keys then differ, and all
    /// places are the same.
    static func masking(_ name: String, at spot: Spot, with mask: Unicode.Scalar, in source: String) -> String {
        var lines = lines(of: source)
        var end = spot.column - 1 + name.unicodeScalars.count - 1
        if "\"'".unicodeScalars.contains(lines[spot.line - 1][spot.column - 1]) { end += 1 }
        lines[spot.line - 1][end] = mask
        return lines.map { String(String.UnicodeScalarView($0)) }.joined(separator: "\n")
    }

    private static func lines(of source: String) -> [[Unicode.Scalar]] {
        source.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    }

    /// Whether these letters are a key at this place of the line: no word character precedes them,
    /// and a colon and a space follow.
    private static func isKey(_ name: [Unicode.Scalar], at start: Int, of line: [Unicode.Scalar]) -> Bool {
        guard !name.isEmpty, start + name.count < line.count, line[start] == name[0],
            line[start..<(start + name.count)].elementsEqual(name)
        else { return false }
        if start > 0, !" {,\"'-".unicodeScalars.contains(line[start - 1]) { return false }
        var rest = line[(start + name.count)...]
        if let quote = rest.first, "\"'".unicodeScalars.contains(quote) { rest = rest.dropFirst() }
        rest = rest.drop { $0 == " " }
        guard rest.first == ":" else { return false }
        return rest.dropFirst().first.map { " \r".unicodeScalars.contains($0) } ?? true
    }
}
