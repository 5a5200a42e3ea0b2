package import Foundation

/// The top folder of the project, with its packs, samples, schemas and documents.
package enum ProjectFolder {
    package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
