import Model

/// Collects the mistakes of a pack during its checks. It belongs to one load, on one thread.
final class MistakeList {
    private(set) var mistakes: [PackMistake] = []
    private var known: Set<PackMistake> = []

    /// The limit of mistakes; a hostile file must not fill the memory.
    private static let limit = 2000

    func add(_ code: PackMistake.Code, at place: PackPlace, _ arguments: [String: String] = [:]) {
        let mistake = PackMistake(code, at: place, arguments)
        guard mistakes.count < Self.limit, known.insert(mistake).inserted else { return }
        mistakes.append(mistake)
    }

    /// Adds an unknown name, with the known name that is most like it.
    func addUnknown(_ name: String, _ kind: PackWord, at place: PackPlace, known names: some Sequence<String>, _ more: [String: String] = [:]) {
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
