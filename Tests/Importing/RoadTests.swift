import Foundation
import Testing

/// The way of a cell from its file to the replica is short, and as the developers' document lists it.
@Suite struct RoadTests {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..").standardized

    private func sources(_ folder: String) throws -> [(name: String, text: String)] {
        let base = root.appendingPathComponent("Sources/" + folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: base.path).filter { $0.hasSuffix(".swift") }
        return try names.map { (URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent, try String(contentsOf: base.appendingPathComponent($0), encoding: .utf8)) }
    }

    @Test func theListedFilesAreThereAndFew() throws {
        let text = try String(contentsOf: root.appendingPathComponent("Docs/architecture.md"), encoding: .utf8)
        let listed = text.matches(of: /(?m)^\| [0-9]+ \| `([A-Za-z\/0-9]+)` \|/).map { String($0.1) }
        #expect(listed.first == "Importing/Formats/DBF/DBFRows" && listed.last == "Replica/Importing/Applying/EntityRows")
        #expect(listed.count <= 12 && Set(listed).count == listed.count)
        for file in listed {
            let path = root.appendingPathComponent("Sources/\(file).swift").path
            let type = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            let source = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            #expect(try source.contains(Regex("(class|struct) \(type)\\b")), "\(file)")
        }
    }

    /// Whoever holds rows or a target of its own kind hands on what is not its own.
    @Test func nothingStandsBetweenAReaderAndTheStagingArea() throws {
        let between = try sources("Importing").filter { file in
            file.text.contains(/(let|var) [a-z]+: any (ForeignRows|NamedRows|ImportTarget)\b/)
        }.map(\.name).sorted()
        #expect(between == ["EventsOnce", "MergingTarget"])
        let targets = try (sources("Importing") + sources("Replica") + sources("CommandLineTool")).filter { $0.text.contains(/class [A-Za-z]+: ImportTarget\b/) }
        #expect(targets.map(\.name).sorted() == ["ImportStaging", "MergingTarget"])
    }

    /// One loop converts rows, and one type makes a value of a cell.
    @Test func thereIsOneLoopAndOneConverter() throws {
        let sources = try sources("Importing")
        #expect(sources.filter { $0.text.contains("ImportedStretch(empty)") }.map(\.name) == ["Importer"])
        // What an event says of a field is held against the row that came in.
        #expect(sources.filter { $0.text.contains("values.convert(") }.map(\.name).sorted() == ["CellConverter", "EventLog"])
    }
}
