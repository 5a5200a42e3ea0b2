package import Foundation

/// The top folder of the project, with its packs, samples, schemas and documents.
package enum ProjectFolder {
    package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The systems that have a pack, by the folders with a `pack.yaml`.
    package static let systems: [String] = {
        let templates = root.appendingPathComponent("Templates")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: templates.path)) ?? []
        return names.filter { FileManager.default.fileExists(atPath: templates.appendingPathComponent($0 + "/pack.yaml").path) }.sorted()
    }()
}
