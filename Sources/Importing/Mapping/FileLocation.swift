import Foundation

/// Finds files that a foreign table names: below a folder, regardless of case, and never through a
/// link.
enum FileLocation {
    /// The path of a file by the components of its name. The last components alone are enough,
    /// because old programs stored paths of their own disk.
    static func find(_ parts: [String], below folder: String) -> String? {
        for start in parts.indices {
            if let path = exact(Array(parts[start...]), below: folder) { return path }
        }
        return nil
    }

    private static func exact(_ parts: [String], below folder: String) -> String? {
        var path = folder
        for (index, part) in parts.enumerated() {
            guard part != ".", part != "..", !part.isEmpty else { return nil }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            guard let name = names.contains(part) ? part : names.sorted().first(where: { $0.lowercased() == part.lowercased() }) else { return nil }
            path += "/" + name
            let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            guard type == (index == parts.count - 1 ? .typeRegular : .typeDirectory) else { return nil }
        }
        return path
    }
}
