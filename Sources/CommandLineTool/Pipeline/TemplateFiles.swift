import Foundation

/// The files that a report is made of, as they are on the disk: those of its pack and of the core,
/// and the firm's look with its pictures. Two values differ if anything was saved in between.
struct TemplateFiles: Equatable {
    /// Size, time and number of each file: an editor that writes a new file in place of the old one
    /// changes the number.
    private var stamps: [String: [String]] = [:]

    /// What documents and editors write beside templates is none.
    private static let others: Set<String> = ["pdf", "xlsx", "zip", "swp", "tmp", "bak"]

    /// - Parameters:
    ///   - folders: read with all that is in them.
    ///   - brand: the file with the firm's look; its pictures lie beside it.
    init(_ folders: [URL], brand: String?) {
        for folder in folders {
            for case let name as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() { add(folder.path + "/" + name) }
        }
        guard let brand else { return }
        let folder = URL(fileURLWithPath: brand).deletingLastPathComponent().path
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let ending = (name as NSString).pathExtension.lowercased()
            if folder + "/" + name == brand || ["png", "jpg", "jpeg"].contains(ending) { add(folder + "/" + name) }
        }
    }

    private mutating func add(_ path: String) {
        let name = (path as NSString).lastPathComponent
        guard !name.hasPrefix("."), !name.hasSuffix("~"), !Self.others.contains((name as NSString).pathExtension.lowercased()),
            let facts = try? FileManager.default.attributesOfItem(atPath: path), facts[.type] as? FileAttributeType != .typeDirectory
        else { return }
        let saved = (facts[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate
        stamps[path] = [facts[.size], saved, facts[.systemFileNumber]].map { "\($0 ?? "")" }
    }
}
