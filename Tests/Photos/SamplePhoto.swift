import Foundation
import Photos
import Testing
import Workbench

/// Real photos of the samples, and files that are made for a test.
enum SamplePhoto {
    static let root = ProjectFolder.root

    /// A photo of a test pit with a position and a time.
    static func pit() throws -> [UInt8] {
        let folder = root.appendingPathComponent("Samples/ingeplus/survey/photos")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().first { $0.hasPrefix("CHU-2025_C-01_pared") })
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// The smallest file that counts as a JPEG: a frame of 2 × 3, a scan of two bytes, and the end.
    /// The segments stand before the frame.
    static func tiny(segments: [[UInt8]] = [], end: [UInt8] = [0xFF, 0xD9]) -> [UInt8] {
        [0xFF, 0xD8] + segments.flatMap { $0 }
            + [0xFF, 0xC0, 0, 11, 8, 0, 3, 0, 2, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0x34] + end
    }

    /// A segment with its marker and its length.
    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
    }
}
