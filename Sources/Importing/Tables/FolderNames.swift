internal import Foundation
internal import Model

/// The names of what is in a folder: those that are read, and those that are left out.
struct FolderNames {
    private(set) var taken: [String] = []
    /// What the user excludes, and what programs leave beside people's files. Hidden files are not
    /// listed, nor those of the replica.
    private(set) var leftOut: [String] = []
    /// Those of the replica.
    private(set) var own: [String] = []

    /// What Windows, Office and Access leave in folders: views, thumbnails, locks of open files.
    private static let left = ["desktop.ini", "thumbs.db", "ehthumbs.db", "~$*", "~*.tmp", "*.ldb", "*.laccdb"]

    init(_ folder: String, options: TableOptions) throws {
        let isOwn = options.own.filter(below: folder)
        let patterns = (Self.left + options.excluded).map { Array($0.lowercased()) }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            if isOwn(name) { own.append(name) }
            if name.hasPrefix(".") || own.last == name { continue }
            let letters = Array(name.lowercased())
            if patterns.contains(where: { Self.fits(letters, $0) }) { leftOut.append(name) } else { taken.append(name) }
        }
    }

    /// Patterns of names to leave out that fit nothing in some folders, nor below them.
    static func unused(_ patterns: [String], in folders: [String]) -> [String] {
        guard !patterns.isEmpty else { return [] }
        let below = folders.flatMap { (try? FileManager.default.subpathsOfDirectory(atPath: $0)) ?? [] }
        let names = Set(below.compactMap { $0.split(separator: "/").last?.lowercased() }).map(Array.init)
        return patterns.filter { pattern in !names.contains { fits($0, Array(pattern.lowercased())) } }
    }

    /// Whether a name fits a pattern in which `*` stands for any letters, and `?` for one.
    static func fits(_ name: [Character], _ pattern: [Character]) -> Bool {
        var (letter, place) = (0, 0)
        // Where the last star stands, and how far it reaches: it takes one letter more at each mismatch.
        var star: (place: Int, letter: Int)?
        while letter < name.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place, letter)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[letter] {
                (letter, place) = (letter + 1, place + 1)
            } else if let last = star {
                star = (last.place, last.letter + 1)
                (letter, place) = (last.letter + 1, last.place + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
