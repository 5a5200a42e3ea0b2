import Foundation
import Testing
import Workbench

/// Every room of the house opens with what comes in, what goes out, and what it may know: whoever opens the folder reads that first.
@Suite struct RoomTests {
    private static let root = ProjectFolder.root

    private static var rooms: [String] {
        get throws {
            let sources = root.appendingPathComponent("Sources")
            return try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted().filter { room in
                // What begins with C and has no Swift is the name of a C library.
                try FileManager.default.subpathsOfDirectory(atPath: sources.appendingPathComponent(room).path).contains { $0.hasSuffix(".swift") } && room != "fichero"
            }
        }
    }

    @Test(arguments: try rooms) func opensWithTwoSentences(_ room: String) throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent("Sources/\(room)/\(room).swift"), encoding: .utf8)
        let lines = text.components(separatedBy: "\n").prefix { $0.hasPrefix("// ") }.map { $0.dropFirst(3) }
        let opening = lines.joined(separator: " ")
        #expect(try opening.contains(Regex("^Into \(room) come [^.]+; out of it come [^.]+\\. It knows [^.]+\\.")), "\(opening)")
    }
}
